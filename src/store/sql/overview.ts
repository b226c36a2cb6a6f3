// What the overviews of all stores share: empty counts, and how the job that has waited longest is found.

import { type JobState, STATES } from '../../job/job.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';

export const noCounts = (): Record<JobState, number> =>
  Object.fromEntries(STATES.map((state) => [state, 0])) as Record<JobState, number>;

/** How many jobs are looked at for the one that has waited longest: enough to be right, few enough to cost nothing. */
const LOOK_AT = 500;

/**
 * Since when the longest waiting job of a queue could have run, whether or not a worker has looked since. Asks the
 * first ones to come in and the next ones to run: behind very many scheduled or held jobs it may miss the oldest.
 */
export function oldestPending(queue: string, now: string): string {
  const firstIn = CLAIMABLE_STATES.map(
    (state) => `
      SELECT * FROM (SELECT next_run_at, held FROM jobs WHERE state = '${state}' AND queue = ${queue}
        ORDER BY seq LIMIT ${LOOK_AT}) ${state}_jobs`,
  );
  const nextToRun = `
      SELECT * FROM (SELECT next_run_at, held FROM jobs WHERE ready = 1 AND queue = ${queue}
        ORDER BY priority DESC, seq LIMIT ${LOOK_AT}) ready_jobs`;
  return `
    SELECT min(next_run_at) AS at FROM (${[...firstIn, nextToRun].join('\n      UNION ALL')}) waiting
    WHERE held IS NULL AND next_run_at <= ${now}`;
}
