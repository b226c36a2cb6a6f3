// No limit is exceeded at any moment, told from the runs of the ledger alone: gates, the slots of a worker, and limits that
// were changed or pauses, for as long as they were in force.

import type { Attempt } from '../../src/job/job.ts';
import type { Problem } from '../evidence.ts';
import { besides, type Run } from '../runs.ts';

/** A limit that somebody set, for as long as nobody was about to change it. */
export interface LimitPeriod {
  readonly what: string;
  /** The queue it holds for; null: all of them. */
  readonly queue: string | null;
  /** 0 of a pause. */
  readonly limit: number;
  /** When it was acknowledged, in ms. */
  readonly acknowledgedAt: number;
  /** From here to there in the ledger. */
  readonly from: number;
  readonly until: number;
  /** Ids of the jobs that were claimed by then: each of them may still start, once. */
  readonly claimed: ReadonlySet<string>;
}

/** Keys, groups, queues and schedules. Where jobs of one key have different limits, the strictest of those that run applies. */
export function crowdedGates(runs: readonly Run[]): Problem[] {
  const problems: Problem[] = [];
  const kindsOf = ({ gates }: Run): string[] => gates.map(({ name }) => name);
  const limitOf = ({ gates }: Run, gate: string): number =>
    gates.find(({ name }) => name === gate)?.limit ?? 0;
  besides(runs, kindsOf, (run, gate, others) => {
    const limit = Math.min(...[run, ...others].map((one) => limitOf(one, gate)));
    if (others.size + 1 > limit) problems.push(tooMany(run, `${gate} ${others.size + 1} of ${limit}`));
  });
  return problems;
}

/** What a worker has for the jobs that it runs at the same time. */
export interface WorkerSize {
  readonly slots: number;
  readonly memoryGib: number;
}

/** `sizeOf`: of the worker of a run. */
export function crowdedWorkers(runs: readonly Run[], sizeOf: (run: Run) => WorkerSize): Problem[] {
  const problems: Problem[] = [];
  besides(
    runs,
    ({ workerId }) => [workerId],
    (run, worker, others) => {
      const together = [run, ...others];
      const taken = together.reduce((sum, { weight }) => sum + weight, 0);
      const reserved = together.reduce((sum, { memoryGib }) => sum + memoryGib, 0);
      const { slots, memoryGib } = sizeOf(run);
      if (taken > slots) problems.push(tooMany(run, `worker ${worker} ${taken} of ${slots} slots`));
      if (reserved > memoryGib)
        problems.push(tooMany(run, `worker ${worker} ${reserved} of ${memoryGib} GiB reserved`));
    },
  );
  return problems;
}

/** `isClaimedBy`: whether a run was claimed by that time, as far as a clock can tell. A claim may be under way meanwhile. */
export function startedAgainst(
  { what, queue, limit, acknowledgedAt, from, until, claimed }: LimitPeriod,
  runs: readonly Run[],
  isClaimedBy: (run: Run, time: number) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  const mayStart = new Set(claimed);
  const own = runs.filter((run) => queue === null || run.queue === queue);
  besides(
    own,
    () => [what],
    (run, _, others) => {
      // biome-ignore format: one line
      const isWithin = run.start.offset >= from && run.start.offset < until;
      if (!isWithin || mayStart.delete(run.jobId) || others.size + 1 <= limit) return;
      if (isClaimedBy(run, acknowledgedAt)) return;
      problems.push(tooMany(run, `${what} ${others.size + 1} of ${limit}`));
    },
  );
  return problems;
}

const tooMany = ({ jobId, start }: Run, what: string): Problem => ({
  what: `too many ran at once by the ledger: ${what}`,
  jobId,
  at: start.at,
});

/** When the store says that a run was claimed; null: it does not know, as of a job that is deleted. */
export const claimTimes =
  (histories: ReadonlyMap<string, readonly Attempt[]>) =>
  ({ jobId, pid, workerId }: Run): number | null =>
    attemptOf(histories.get(jobId) ?? [], pid, workerId)?.startedAt ?? null;

/** A worker that dies at once does not tell the pid. */
const attemptOf = (history: readonly Attempt[], pid: number, workerId: string): Attempt | undefined =>
  history.find((one) => one.pid === pid) ??
  history.find((one) => one.pid === null && one.workerId === workerId);
