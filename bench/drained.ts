// Measures how fast running workers complete jobs. Polling takes CPU from the workers, so it is rare; the end time
// comes from the record of the last job.

import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from '../src/queue/queue.ts';
import type { Sandbox } from './measure.ts';

const LOOK_MS = 50;

/** Jobs per second from the last enqueue until all jobs are completed. */
export async function drainRate({ environment, queuectl }: Sandbox, command: string, jobs: number): Promise<number> {
  const queue = await Queue.open({ environment });
  const before = await completed(queue);
  queuectl(['enqueue', '-', '--lines'], `${command}\n`.repeat(jobs));
  const startedAt = Date.now();
  const ms = (await drainedAt(queue, before + jobs)) - startedAt;
  await queue.close();
  return (jobs / ms) * 1000;
}

const completed = async (queue: Queue): Promise<number> =>
  (await queue.overview()).queues.reduce((sum, { counts }) => sum + counts.completed, 0);

/** Returns when the last of `count` jobs was completed, by Date.now(). */
export async function drainedAt(queue: Queue, count: number): Promise<number> {
  while ((await completed(queue)) < count) await sleep(LOOK_MS);
  const [last] = await queue.list({ sort: 'finished', descending: true, states: ['completed'], limit: 1 });
  return last?.finishedAt ?? Number.NaN;
}
