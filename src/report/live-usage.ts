// What running jobs have used until now: asked of the system, at the time of asking, of those that run on this host.

import type { Attempt, Job } from '../job/job.ts';
import { isRunning } from '../job/state-sets.ts';
import type { Usage } from '../job/usage.ts';
import { ownIdentity } from '../process/tree/identity.ts';
import { usageOfProcesses } from '../process/tree/tree-usage.ts';
import type { AnyQueue } from '../queue/interface.ts';

/** null: it does not run here, or has ended in this moment. */
export async function liveUsage(
  { environment }: Pick<AnyQueue, 'environment'>,
  { pid, pidStartedAt, bootId, endedAt }: Attempt,
): Promise<Usage | null> {
  if (pid === null || endedAt !== null || bootId !== ownIdentity(environment).bootId) return null;
  return usageOfProcesses({ pid, startedAt: pidStartedAt });
}

/** The same jobs, those that run with what they have used. */
export const withLiveUsage = (
  queue: Pick<AnyQueue, 'environment' | 'history'>,
  jobs: readonly Job[],
): Promise<Job[]> =>
  Promise.all(
    jobs.map(async (job) => {
      if (!isRunning(job.state)) return job;
      const attempt = (await queue.history(job.id)).at(-1);
      return attempt === undefined ? job : { ...job, usage: await liveUsage(queue, attempt) };
    }),
  );
