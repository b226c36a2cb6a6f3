// Checks from the ledger that no limit is ever exceeded: gates, worker slots, and changed limits or pauses while they
// were in effect.

import type { Attempt } from '../../src/job/job.ts';
import type { Problem } from '../evidence.ts';
import { besides, type Run } from '../runs.ts';

/** A limit, from its acknowledgement until the next change begins. */
export interface LimitPeriod {
  readonly what: string;
  /** Queue of the limit; null for all. */
  readonly queue: string | null;
  /** 0 for a pause. */
  readonly limit: number;
  /** Time of the acknowledgement in ms. */
  readonly acknowledgedAt: number;
  /** Range in the ledger. */
  readonly from: number;
  readonly until: number;
  /** IDs of jobs claimed before; each of them may still start once. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * Checks keys, groups, queues and schedules. If jobs of one key have different limits, the strictest among the running
 * ones applies.
 */
export function crowdedGates(runs: readonly Run[]): Problem[] {
  const problems: Problem[] = [];
  const kindsOf = ({ gates }: Run): string[] => gates.map(({ name }) => name);
  const limitOf = ({ gates }: Run, gate: string): number => gates.find(({ name }) => name === gate)?.limit ?? 0;
  besides(runs, kindsOf, (run, gate, others) => {
    const limit = Math.min(...[run, ...others].map((one) => limitOf(one, gate)));
    if (others.size + 1 > limit) problems.push(tooMany(run, `${gate} ${others.size + 1} of ${limit}`));
  });
  return problems;
}

/** Capacity of a worker. */
export interface WorkerSize {
  readonly slots: number;
  readonly memoryGib: number;
}

/** `sizeOf` returns the size of a run's worker. */
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

/**
 * `isClaimedBy` returns whether a run was claimed by that time, as far as clocks can tell. A claim may be in progress
 * meanwhile.
 */
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

/** Returns when the store recorded the claim of a run; null if unknown, as for a deleted job. */
export const claimTimes =
  (histories: ReadonlyMap<string, readonly Attempt[]>) =>
  ({ jobId, pid, workerId }: Run): number | null =>
    attemptOf(histories.get(jobId) ?? [], pid, workerId)?.startedAt ?? null;

/** A worker that dies immediately does not report the PID. */
const attemptOf = (history: readonly Attempt[], pid: number, workerId: string): Attempt | undefined =>
  history.find((one) => one.pid === pid) ?? history.find((one) => one.pid === null && one.workerId === workerId);
