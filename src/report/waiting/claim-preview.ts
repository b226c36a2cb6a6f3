// Predicts whether a worker would claim a job in its next turn, with the code that claims jobs.

import { reservedBy } from '../../job/isolation/isolation.ts';
import { DEFAULT_WEIGHT } from '../../job/flow/concurrency.ts';
import type { Job } from '../../job/job.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import type { ClaimWish } from '../../store/store.ts';
import { budgetOf } from './waiting-memory.ts';

export async function wouldBeClaimed(queue: Queue, { id }: Job, workers: readonly WorkerView[]): Promise<boolean> {
  for (const worker of workers.filter(({ notice }) => notice === null)) {
    const wish = await wishOf(queue, worker);
    if (wish.want > 0 && (await queue.waits.wouldClaim(wish)).includes(id)) return true;
  }
  return false;
}

/** Returns the request that the worker would make in its next turn. */
async function wishOf(queue: Queue, worker: WorkerView): Promise<ClaimWish> {
  const settings = await queue.settings();
  const ofQueues = settings.confinement.memoryOfQueues;
  const running = await queue.getAll(worker.running);
  const taken = running.reduce((sum, { weight }) => sum + (weight ?? DEFAULT_WEIGHT), 0);
  const reserved = running.reduce((sum, job) => sum + reservedBy(job.confinement, ofQueues?.[job.queue]), 0);
  const bytes = budgetOf(queue, settings, worker);
  return {
    want: worker.concurrency - taken,
    slots: worker.concurrency,
    memory: { bytes, freeBytes: bytes - reserved, ...(ofQueues && { ofQueues }) },
    queues: worker.queues,
    maxConcurrentJobs: settings.limit('max_concurrent_jobs'),
  };
}
