// Scenes: jobs with priorities, and a delayed job.

import { duration } from '../render/kit/human.ts';
import { expect, msBetween } from './expect.ts';
import type { Player } from './player.ts';

/** One list is stored at once, so that the worker finds all three. */
const THREE_JOBS = `[
  {"id": "low",    "priority": 1, "command": "echo low    >> order.txt"},
  {"id": "high",   "priority": 9, "command": "echo high   >> order.txt"},
  {"id": "medium", "priority": 5, "command": "echo medium >> order.txt"}]`;

/** A busy host does not explain a longer delay. */
const LATEST_MS = 3000;

export async function priority(player: Player): Promise<string> {
  await player.type('enqueue', THREE_JOBS);
  await player.type('wait', 'low', 'high', 'medium');
  const written = player.stage.read('order.txt');
  player.shell('cat order.txt', written);
  const order = written.trim().split(/\s+/).join(', ');
  expect(order === 'high, medium, low', `the jobs ran in the order ${order}`);
  return `enqueued low, high, medium; ran ${order}`;
}

export async function schedule(player: Player): Promise<string> {
  await player.type('enqueue', '--id', 'later', '--delay', '2s', 'date +%T');
  await player.type('list', '--state', 'pending');
  await player.type('wait', 'later');
  const { run_at, history } = await player.job('later');
  const lateMs = msBetween(run_at, history[0]?.started_at);
  expect(lateMs >= 0, `the job started ${-lateMs} ms too early`);
  expect(lateMs < LATEST_MS, `the job started ${duration(lateMs)} late`);
  return `started ${lateMs} ms after its scheduled time`;
}
