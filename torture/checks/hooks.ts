// Checks that each ending of a job runs its hook once. Only the group's retry touches these jobs, so every attempt that
// ended by itself is an ending, and the run number identifies its hook.

import type { Attempt, Job } from '../../src/job/job.ts';
import type { Problem } from '../evidence.ts';

/** Outcomes after which the job runs again without a hook. */
const NO_END = new Set(['worker_lost', 'released', 'snoozed']);
const DELIVERY = 'QUEUECTL_HOOK_DELIVERY';

export function wrongHooks(
  hooked: ReadonlySet<string>,
  jobs: readonly Job[],
  histories: ReadonlyMap<string, readonly Attempt[]>,
  /** Deliveries whose command wrote a line. */
  written: ReadonlySet<string>,
): Problem[] {
  const hooks = Map.groupBy(
    jobs.filter(({ hookOf }) => hookOf !== null),
    ({ hookOf }) => hookOf,
  );
  return jobs
    .filter(({ id }) => hooked.has(id))
    .flatMap((job) => {
      const history = histories.get(job.id) ?? [];
      const made = (hooks.get(job.id) ?? []).map(({ env }) => env[DELIVERY] ?? '');
      const owed = owedBy(job, history);
      // The third worker lost in a row also ends a job, and a retry hides which one it was.
      const possible = new Set([...owed, ...history.map(({ run }) => `${job.id}:failure:${run}`)]);
      return [
        ...owed.filter((delivery) => !made.includes(delivery)).map((one) => `hook ${one} was never called`),
        ...made.filter((one) => !possible.has(one)).map((one) => `hook ${one} was called for no end`),
        ...made.filter((one, i) => made.indexOf(one) !== i).map((one) => `hook ${one} was called twice`),
        ...(hooks.get(job.id) ?? [])
          .filter(({ state, env }) => state === 'completed' && !written.has(env[DELIVERY] ?? ''))
          .map(({ id }) => `hook ${id} is completed, but its command did not run`),
      ].map((what) => ({ what, jobId: job.id }));
    });
}

function owedBy(job: Job, history: readonly Attempt[]): string[] {
  const isEnd = ({ outcome }: Attempt, i: number): boolean =>
    outcome !== null && (!NO_END.has(outcome) || (job.state === 'dead' && i === history.length - 1));
  return history
    .filter(isEnd)
    .map(({ outcome, run }) => `${job.id}:${outcome === 'completed' ? 'success' : 'failure'}:${run}`);
}
