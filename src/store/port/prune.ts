// Deleting finished jobs by age or number.

import type { JobState } from '../../job/job.ts';
import type { Removed } from './change.ts';

export interface Pruning {
  /** Returns how many jobs prune() would delete. */
  prunable(query: PruneQuery): Promise<number>;
  /** Deletes at most `limit` jobs, so that no other process is locked out for long. */
  prune(query: PruneQuery, limit: number): Promise<Removed>;
}

/** Finished jobs to delete: those that finished before a time, or all except the newest few of each state. */
export interface PruneQuery {
  readonly states: readonly JobState[];
  readonly queue?: string | undefined;
  readonly finishedBefore?: number | undefined;
  readonly keep?: number | undefined;
  /** True if a chore prunes by retention, not a user. The store then keeps jobs that it still needs. */
  readonly isByRetention?: boolean | undefined;
}
