// Suggests to start a worker if none serves the queue.

import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import type { Context } from '../command.ts';

export async function suggestWorker(
  { terminal }: Context,
  queue: AnyQueue,
  jobs: readonly Pick<Job, 'queue'>[],
): Promise<void> {
  if (!terminal.isWatched || terminal.json || jobs[0] === undefined) return;
  if ((await queue.workersServing(jobs[0].queue)).length > 0) return;
  const forQueue = jobs[0].queue === 'default' ? '' : ` --queue ${jobs[0].queue}`;
  terminal.hint(`no worker is running; start one: queuectl worker start${forQueue}`);
}
