// Whether new jobs may come in as the queue stands: a queue that is being drained takes none.

import { QueueError } from '../errors/errors.ts';
import type { NewJob } from '../job/job.ts';
import type { Store } from '../store/store.ts';

export async function checkAdmission(store: Store, jobs: readonly NewJob[]): Promise<void> {
  const draining = await store.queues.draining();
  const rejected = jobs.find(({ queue }) => draining.includes(queue));
  if (rejected) throw new QueueError('queue_draining', { queue: rejected.queue });
}
