// Current resource usage of running jobs on this host.

import type { Attempt, Job } from '../job/job.ts';
import { isRunning } from '../job/state-sets.ts';
import type { Usage } from '../job/usage.ts';
import { ownIdentity } from '../process/tree/identity.ts';
import { usageOfProcesses } from '../process/tree/tree-usage.ts';
import type { AnyQueue } from '../queue/interface.ts';

/** Returns null if the attempt is not running on this host, or has just ended. */
export async function liveUsage(
  { environment }: Pick<AnyQueue, 'environment'>,
  { pid, pidStartedAt, bootId, endedAt }: Attempt,
): Promise<Usage | null> {
  if (pid === null || endedAt !== null || bootId !== ownIdentity(environment).bootId) return null;
  return usageOfProcesses({ pid, startedAt: pidStartedAt });
}

/** Returns the jobs, with current usage for those that are running. */
export const withLiveUsage = (queue: Pick<AnyQueue, 'environment' | 'history'>, jobs: readonly Job[]): Promise<Job[]> =>
  Promise.all(
    jobs.map(async (job) => {
      if (!isRunning(job.state)) return job;
      const attempt = (await queue.history(job.id)).at(-1);
      return attempt === undefined ? job : { ...job, usage: await liveUsage(queue, attempt) };
    }),
  );
