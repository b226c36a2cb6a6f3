// Job counts, at a cost that does not grow with the number of jobs.

import type { JobState } from '../../job/job.ts';

export interface Overviews {
  overview(): Promise<Overview>;
  /** Returns the size of the database without its write-ahead log. */
  databaseBytes(): Promise<number>;
}

export interface Overview {
  readonly queues: readonly QueueCounts[];
  readonly nextRetryAt: number | null;
  readonly nextDueAt: number | null;
}

export interface QueueCounts {
  readonly queue: string;
  readonly counts: Readonly<Record<JobState, number>>;
  readonly oldestPendingAt: number | null;
}
