// Reports at once that a job needs more memory or slots than any worker has, instead of letting it wait in silence.

import { QueueError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Wait } from '../../report/waiting/wait.ts';
import { tooHeavy } from '../../report/waiting/waiting.ts';
import { needsTooMuch } from '../../report/waiting/waiting-memory.ts';
import type { Context } from '../command.ts';

export async function sayIfTooLarge({ terminal }: Context, queue: AnyQueue, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs)
    for (const { message } of await tooLarge(queue, job).catch(ifUnknown))
      terminal.say(`${job.id}  ${message}; the job waits`);
}

/** Without a worker, the number of slots is unknown. */
async function tooLarge(queue: AnyQueue, job: Job): Promise<Wait[]> {
  const workers = job.weight === null ? [] : await queue.workersServing(job.queue);
  return [...(workers.length === 0 ? [] : tooHeavy(job, workers)), ...(await needsTooMuch(queue, job))];
}

/** Inside a job, settings and workers are not readable. */
function ifUnknown(error: unknown): [] {
  if (error instanceof QueueError && error.code === 'not_for_jobs') return [];
  throw error;
}
