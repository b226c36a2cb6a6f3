// What a worker says of itself when it registers, and how it is taken back when it is lost.

import type { RetryPolicy } from '../../src/job/lifecycle.ts';
import type { Rescued, SignOfLife, Store } from '../../src/store/store.ts';

/** Everything but who it is. */
export const plainWorker = {
  storeId: 'store',
  queues: null,
  concurrency: 1,
  leaseMs: 30_000,
  onlyJob: null,
  memoryBudget: null,
  version: null,
} as const;

export const sign = (notice: string | null = null): SignOfLife => ({ notice, leaseMs: 30_000 });

/** Both steps of a rescue, with nothing to end in between. */
export async function rescue(store: Store, id: string, policy: RetryPolicy): Promise<Rescued[] | null> {
  return (await store.condemn(id)) && store.rescue(id, policy);
}
