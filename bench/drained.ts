// Measures how long a worker takes to complete a queue. Polling takes CPU from the worker, so it is rare; the end time
// comes from the record of the last job.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../src/queue/queue.ts';

const LOOK_MS = 50;

export const completed = async (queue: Queue): Promise<number> =>
  (await queue.overview()).queues.reduce((sum, { counts }) => sum + counts.completed, 0);

/** Returns when the last of `count` jobs was completed, by Date.now(). */
export async function drainedAt(queue: Queue, count: number): Promise<number> {
  while ((await completed(queue)) < count) await sleep(LOOK_MS);
  const [last] = await queue.list({ sort: 'finished', descending: true, states: ['completed'], limit: 1 });
  return last?.finishedAt ?? Number.NaN;
}
