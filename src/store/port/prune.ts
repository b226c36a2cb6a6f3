// Removing finished jobs by age or number.

import type { JobState } from '../../job/job.ts';
import type { Removed } from './change.ts';

export interface Pruning {
  /** How many jobs prune() would remove. */
  prunable(query: PruneQuery): Promise<number>;
  /** At most `limit` jobs a call, so that nobody is locked out for long. */
  prune(query: PruneQuery, limit: number): Promise<Removed>;
}

/** Which finished jobs to remove: those older than a time, or all but the newest few of each state. */
export interface PruneQuery {
  readonly states: readonly JobState[];
  readonly queue?: string | undefined;
  readonly finishedBefore?: number | undefined;
  readonly keep?: number | undefined;
  /** A chore asks, not a user: a store keeps the jobs longer while it needs them. */
  readonly isByRetention?: boolean | undefined;
}
