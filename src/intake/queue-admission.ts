// Whether new jobs may come in as the queue stands: a queue that is being drained takes none, and a job that is heavier than
// every worker that serves its queue would wait for ever.

import { QueueError } from '../errors/errors.ts';
import type { NewJob } from '../job/job.ts';
import type { Store } from '../store/store.ts';

export async function checkAdmission(store: Store, jobs: readonly NewJob[]): Promise<void> {
  const draining = await store.queues.draining();
  const refused = jobs.find(({ queue }) => draining.includes(queue));
  if (refused) throw new QueueError('queue_draining', { queue: refused.queue });
  for (const job of jobs)
    if (job.weight !== null && job.weight > 1) await checkWeight(store, job, job.weight);
}

async function checkWeight(store: Store, { queue }: NewJob, weight: number): Promise<void> {
  const serving = (await store.workers()).filter(
    ({ queues, onlyJob, condemnedAt }) =>
      onlyJob === null && condemnedAt === null && (queues?.includes(queue) ?? true),
  );
  const most = Math.max(...serving.map(({ concurrency }) => concurrency));
  if (serving.length === 0 || weight <= most) return;
  throw new QueueError('invalid_job', {
    problem: `a weight of ${weight} is more than any worker of queue ${queue} has slots: ${most} at the most`,
    hint: `queuectl worker start --concurrency ${weight}, or a smaller --weight`,
  });
}
