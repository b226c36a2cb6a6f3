// How long a worker takes to complete what is queued. Each look takes CPU that the worker could use, so looks are far apart, and
// the end is what the record of the last job says.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from '../src/queue/queue.ts';

const LOOK_MS = 50;

export const completed = async (queue: Queue): Promise<number> =>
  (await queue.overview()).queues.reduce((sum, { counts }) => sum + counts.completed, 0);

/** When the last of so many jobs was completed, by Date.now(). */
export async function drainedAt(queue: Queue, count: number): Promise<number> {
  while ((await completed(queue)) < count) await sleep(LOOK_MS);
  const [last] = await queue.list({ sort: 'finished', descending: true, states: ['completed'], limit: 1 });
  return last?.finishedAt ?? Number.NaN;
}
