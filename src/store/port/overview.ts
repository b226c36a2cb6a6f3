// The queue in numbers, at a cost that does not grow with the number of jobs.

import type { JobState } from '../../job/job.ts';

export interface Overviews {
  overview(): Promise<Overview>;
  /** How much room the database takes, without what is only logged yet. */
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
