// Decides whether a worker may exit by itself: its only job is finished, or the queues that it drains are empty.

import { isFinal } from '../job/job.ts';
import { UNFINISHED_STATES } from '../job/state-sets.ts';
import type { Store } from '../store/store.ts';
import type { WorkerOptions } from './worker-parts.ts';

export async function isNothingLeft(
  store: Store,
  { only, drain, queues }: Pick<WorkerOptions, 'only' | 'drain' | 'queues'>,
): Promise<boolean> {
  if (only !== undefined) return isSettled(store, only);
  return drain && isDrained(store, queues);
}

async function isSettled(store: Store, id: string): Promise<boolean> {
  const job = await store.get(id);
  return job === null || isFinal(job.state);
}

/** Blocked jobs may depend on jobs in other queues, and held jobs wait for a user, so neither keeps the worker. */
async function isDrained(store: Store, served: readonly string[] | null): Promise<boolean> {
  const { queues } = await store.overview();
  const unfinished = queues
    .filter(({ queue }) => served?.includes(queue) ?? true)
    .filter(({ counts }) => UNFINISHED_STATES.some((state) => counts[state] > 0));
  return (
    unfinished.length === 0 ||
    isAllHeld(
      store,
      unfinished.map(({ queue }) => queue),
    )
  );
}

async function isAllHeld(store: Store, queue: readonly string[]): Promise<boolean> {
  const order = { sort: 'created', descending: false, limit: 1 } as const;
  return (await store.idsOf({ states: UNFINISHED_STATES, queue, held: false, ...order })).length === 0;
}
