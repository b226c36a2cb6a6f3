// Scenes: a timeout, a killed worker and a graceful stop.

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
  expect(state === 'dead' && attempt?.outcome === 'timeout', `job stuck is ${state}, its attempt ${attempt?.outcome}`);
  const child = Number(player.stage.read('child.pid'));
  expect(child > 0 && !isRunning(child), `child process ${child} is still running`);
  const tookMs = msBetween(attempt?.started_at, attempt?.ended_at);
  return `stopped after ${duration(tookMs)}; its background process ${child} was stopped too`;
}

export async function killedWorker(player: Player): Promise<string> {
  await player.type('worker', 'start');
  // The job is long at first and short after the rescue, so the scene does not wait for it.
  await player.type('enqueue', '--id', 'survivor', 'mkdir begun && sleep 60; echo done');
  const { locked_by } = await player.untilRunning('survivor');
  await player.until('survivor to begin', () => player.stage.has('begun'));
  const workers = (await player.ask('worker', 'list')) as { id: string; pid: number }[];
  const pid = workers.find(({ id }) => id === locked_by)?.pid ?? 0;
  expect(pid > 0, `worker ${locked_by}, which runs the job, is not listed`);
  player.shell(`kill -9 ${pid}`);
  process.kill(pid, 'SIGKILL');
  await player.type('wait', 'survivor');
  await player.type('show', 'survivor');
  const { state, attempts, interruptions, history } = await player.job('survivor');
  const [lost, next] = history;
  expect(state === 'completed' && next?.outcome === 'completed', `job survivor is ${state}`);
  expect(lost?.outcome === 'worker_lost', `the first attempt is recorded as ${lost?.outcome}`);
  expect(interruptions === 1 && attempts === 1, `recorded ${interruptions} interruptions and ${attempts} attempts`);
  expect(next?.worker !== lost?.worker, 'the same worker ran the job again');
  expect(!isRunning(lost?.pid ?? 0), 'the processes of the killed worker are still running');
  return `worker ${next?.worker} stopped the processes of ${lost?.worker} and ran the job again`;
}

export async function gracefulStop(player: Player): Promise<string> {
  await player.type('enqueue', '--id', 'last', 'sleep 2');
  await player.untilRunning('last');
  const askedAt = Date.now();
  await player.type('worker', 'stop');
  await player.type('status');
  const { state, finished_at } = await player.job('last');
  expect(state === 'completed', `the running job is ${state}`);
  expect(Date.parse(finished_at ?? '') >= askedAt, 'the job finished before the worker was asked to stop');
  const { active_workers } = (await player.ask('status')) as { active_workers: number };
  expect(active_workers === 0, `active_workers is ${active_workers}`);
  return 'the running job finished first, then all workers stopped';
}

const isRunning = (pid: number): boolean => processEntry(pid) !== null;
