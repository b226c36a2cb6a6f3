// Rejects new jobs for queues that are being drained.

import { QueueError } from '../errors/errors.ts';
import type { NewJob } from '../job/job.ts';
import type { Store } from '../store/store.ts';

export async function checkDraining(store: Store, jobs: readonly NewJob[]): Promise<void> {
  const draining = await store.queues.draining();
  const rejected = jobs.find(({ queue }) => draining.includes(queue));
  if (rejected) throw new QueueError('queue_draining', { queue: rejected.queue });
}
