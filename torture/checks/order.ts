// Checks from the order of the ledger that no job runs before its dependencies have finished as its rules require.
// Manually retried jobs are skipped, because users may run them at any time.

import type { DependencyRule, FailurePolicy } from '../../src/job/flow/dependencies.ts';
import type { Problem } from '../evidence.ts';
import type { Entry } from '../ledger.ts';

/** Dependencies of a job as enqueued. */
export interface Wait {
  readonly edges: readonly WaitEdge[];
  readonly onFailure: FailurePolicy;
}

export interface WaitEdge {
  /** The job, or all jobs of the group. */
  readonly jobs: readonly string[];
  readonly isGroup: boolean;
  readonly rule: DependencyRule;
}

export interface Meddled {
  readonly retried: ReadonlySet<string>;
  /** IDs of jobs whose deletion was requested. */
  readonly doubtful: ReadonlySet<string>;
}

interface Line extends Entry {
  readonly index: number;
}

export function ranTooEarly(
  waits: ReadonlyMap<string, Wait>,
  entries: readonly Entry[],
  { retried, doubtful }: Meddled,
): Problem[] {
  const lines = Map.groupBy(
    entries.map((entry, index): Line => ({ ...entry, index })),
    ({ jobId }) => jobId,
  );
  const linesOf = (id: string): readonly Line[] => lines.get(id) ?? [];
  const endedBefore = (id: string, start: Line): boolean =>
    retried.has(id) || linesOf(id).every(({ index }) => index < start.index);
  const succeeded = (id: string, start: Line): boolean =>
    retried.has(id) ||
    linesOf(id).some(({ kind, note, index }) => kind === 'end' && note === '0' && index < start.index);

  const early = ([id, { edges, onFailure }]: [string, Wait]): Problem[] => {
    const start = linesOf(id).find(({ kind }) => kind === 'start');
    if (start === undefined || retried.has(id)) return [];
    const hasEnded = ({ jobs }: WaitEdge): boolean => jobs.every((job) => endedBefore(job, start));
    const hasCompleted = ({ jobs, isGroup }: WaitEdge): boolean =>
      jobs.every((job) => (isGroup && doubtful.has(job)) || succeeded(job, start));
    const failures = edges.filter(({ rule }) => rule === 'failure');
    const others = edges.filter(({ rule }) => rule !== 'failure');
    const isInOrder =
      others.every(hasEnded) &&
      (failures.length === 0 || failures.some(hasEnded)) &&
      (onFailure !== 'cancel' || others.every((edge) => edge.rule === 'end' || hasCompleted(edge)));
    return isInOrder
      ? []
      : [{ what: `job ${id} ran before what it waits for had ended as it should`, jobId: id, at: start.at }];
  };
  return [...waits].flatMap(early);
}
