// Scenes: what ends a job or a worker before its time, and what does not.

import { processEntry } from '../../process/tree/proc.ts';
import { duration } from '../render/kit/human.ts';
import { expect, msBetween } from './expect.ts';
import type { Player } from './player.ts';

export async function timeout(player: Player): Promise<string> {
  const hanging = 'sleep 300 & echo $! > child.pid; sleep 300';
  await player.type('enqueue', '--id', 'stuck', '--timeout', '1s', '--max-retries', '0', hanging);
  await player.typeFailing('wait', 'stuck');
  const { state, history } = await player.job('stuck');
  const [attempt] = history;
  expect(
    state === 'dead' && attempt?.outcome === 'timeout',
    `stuck is ${state}, its attempt ${attempt?.outcome}`,
  );
  const child = Number(player.stage.read('child.pid'));
  expect(child > 0 && !isRunning(child), `its child, process ${child}, still runs`);
  const tookMs = msBetween(attempt?.started_at, attempt?.ended_at);
  return `ended after ${duration(tookMs)}; the sleep in its background, process ${child}, is gone too`;
}

export async function killedWorker(player: Player): Promise<string> {
  await player.type('worker', 'start');
  // Long the first time, short the second: what is awaited is the rescue, not the job.
  await player.type('enqueue', '--id', 'survivor', 'mkdir begun && sleep 60; echo done');
  const { locked_by } = await player.untilRunning('survivor');
  await player.until('survivor to begin', () => player.stage.has('begun'));
  const workers = (await player.ask('worker', 'list')) as { id: string; pid: number }[];
  const pid = workers.find(({ id }) => id === locked_by)?.pid ?? 0;
  expect(pid > 0, `worker ${locked_by}, which runs the job, is not in the list of workers`);
  player.shell(`kill -9 ${pid}`);
  process.kill(pid, 'SIGKILL');
  await player.type('wait', 'survivor');
  await player.type('show', 'survivor');
  const { state, attempts, interruptions, history } = await player.job('survivor');
  const [lost, next] = history;
  expect(state === 'completed' && next?.outcome === 'completed', `survivor is ${state}`);
  expect(lost?.outcome === 'worker_lost', `its first attempt is recorded as ${lost?.outcome}`);
  expect(
    interruptions === 1 && attempts === 1,
    `${interruptions} interruptions and ${attempts} attempts were counted`,
  );
  expect(next?.worker !== lost?.worker, 'the same worker ran it again');
  expect(!isRunning(lost?.pid ?? 0), 'what the dead worker ran still runs');
  return `${next?.worker} noticed, ended what ${lost?.worker} had left running, and ran it again`;
}

export async function gracefulStop(player: Player): Promise<string> {
  await player.type('enqueue', '--id', 'last', 'sleep 2');
  await player.untilRunning('last');
  const askedAt = Date.now();
  await player.type('worker', 'stop');
  await player.type('status');
  const { state, finished_at } = await player.job('last');
  expect(state === 'completed', `the job that ran is ${state}`);
  expect(
    Date.parse(finished_at ?? '') >= askedAt,
    'the job had finished before the worker was asked to stop',
  );
  const { active_workers } = (await player.ask('status')) as { active_workers: number };
  expect(active_workers === 0, `active_workers is ${active_workers}`);
  return 'the running job finished first; then no worker was left';
}

const isRunning = (pid: number): boolean => processEntry(pid) !== null;
