// Says at once that a job needs more memory than any worker may give, instead of letting it wait in silence.

import { QueueError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import type { Queue } from '../../queue/queue.ts';
import { needsTooMuch } from '../../report/waiting/waiting-memory.ts';
import type { Context } from '../command.ts';

export async function sayIfTooMuch({ terminal }: Context, queue: Queue, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs)
    for (const { message } of await needsTooMuch(queue, job).catch(ifUnknown))
      terminal.say(`${job.id}  ${message}: it will wait`);
}

/** A job may not look at the settings. */
function ifUnknown(error: unknown): [] {
  if (error instanceof QueueError && error.code === 'not_for_jobs') return [];
  throw error;
}
