// The scenes of the demo in their order. Each returns a one-line summary of what happened, or throws.

import type { Player } from './player.ts';
import { gracefulStop, killedWorker, timeout } from './scenes-ending.ts';
import { deadLetters, retries, success } from './scenes-failing.ts';
import { expect, type JobSeen, msBetween } from './expect.ts';
import { duration } from '../render/kit/human.ts';

/** One list is stored at once, so that the worker finds all three. */
const THREE_JOBS = `[
  {"id": "low",    "priority": 1, "command": "echo low    >> order.txt"},
  {"id": "high",   "priority": 9, "command": "echo high   >> order.txt"},
  {"id": "medium", "priority": 5, "command": "echo medium >> order.txt"}]`;

/** A busy host does not explain a longer delay. */
const LATEST_MS = 3000;

async function priority(player: Player): Promise<string> {
  await player.type('enqueue', THREE_JOBS);
  await player.type('wait', 'low', 'high', 'medium');
  const written = player.stage.read('order.txt');
  player.shell('cat order.txt', written);
  const order = written.trim().split(/\s+/).join(', ');
  expect(order === 'high, medium, low', `the jobs ran in the order ${order}`);
  return `enqueued low, high, medium; ran ${order}`;
}

async function schedule(player: Player): Promise<string> {
  await player.type('enqueue', '--id', 'later', '--delay', '2s', 'date +%T');
  await player.type('list', '--state', 'pending');
  await player.type('wait', 'later');
  const { run_at, history } = await player.job('later');
  const lateMs = msBetween(run_at, history[0]?.started_at);
  expect(lateMs >= 0, `the job started ${-lateMs} ms too early`);
  expect(lateMs < LATEST_MS, `the job started ${duration(lateMs)} late`);
  return `started ${lateMs} ms after its scheduled time`;
}

const FOUR_JOBS = `[
  {"id": "fetch",   "command": "echo 42 > data.txt"},
  {"id": "sum",     "command": "wc -c < data.txt", "after": "fetch"},
  {"id": "check",   "command": "grep 43 data.txt", "after": "fetch"},
  {"id": "publish", "command": "echo done", "after": ["sum", "check"]}]`;

async function flow(player: Player): Promise<string> {
  await player.type('enqueue', '--group', 'report', '--max-retries', '0', FOUR_JOBS);
  await player.typeFailing('wait', '--group', 'report');
  await player.type('why', 'publish');
  await player.type('group', 'show', 'report');
  const [fetch, sum, check, publish] = await Promise.all([
    player.job('fetch'),
    player.job('sum'),
    player.job('check'),
    player.job('publish'),
  ]);
  expect(fetch.state === 'completed' && sum.state === 'completed', `fetch is ${fetch.state}, sum ${sum.state}`);
  expect(isAfter(sum, fetch) && isAfter(check, fetch), 'a job started before its dependency fetch completed');
  expect(check.state === 'dead', `check is ${check.state}`);
  expect(
    publish.state === 'cancelled' && publish.history.length === 0,
    `publish is ${publish.state} after ${publish.history.length} starts`,
  );
  return 'two jobs ran after fetch; one failed, so publish never started';
}

const isAfter = (job: JobSeen, other: JobSeen): boolean =>
  msBetween(other.history.at(-1)?.ended_at, job.history[0]?.started_at) >= 0;

export interface Scene {
  /** The name in --json. */
  readonly name: string;
  readonly title: string;
  play(player: Player): Promise<string>;
}

export const SCENES: readonly Scene[] = [
  { name: 'success', title: 'Run a command in the background', play: success },
  { name: 'retries', title: 'Retry a failing command with increasing delays', play: retries },
  {
    name: 'dead letter queue',
    title: 'Keep a job whose retries are used up, and retry it manually',
    play: deadLetters,
  },
  { name: 'priority', title: 'Run jobs by priority', play: priority },
  { name: 'schedule', title: 'Delay a job', play: schedule },
  { name: 'flow', title: 'Run jobs with dependencies as a group', play: flow },
  { name: 'timeout', title: 'Stop a job that exceeds its timeout, with all its processes', play: timeout },
  { name: 'killed worker', title: 'Recover a job from a killed worker', play: killedWorker },
  { name: 'graceful stop', title: 'Stop workers after their jobs finish', play: gracefulStop },
];
