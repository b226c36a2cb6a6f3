// Jobs that belong together.

import type { JobState } from '../../job/job.ts';

export interface Groups {
  /** The newest first. null: all of them. */
  all(limit: number | null): Promise<GroupRecord[]>;
  get(name: string): Promise<GroupRecord | null>;
  /** The newest `limit` jobs, the newest first, each with the name of its group or null. */
  ofNewest(limit: number): Promise<GroupedJob[]>;
  /** The ids of its jobs in the order they came in; of more than `limit` those that people look for first. */
  jobsIn(name: string, limit: number): Promise<string[]>;
  /** Deletes a group that has no jobs. */
  removeIfEmpty(name: string): Promise<void>;
  /** Looks at `limit` groups behind `after`, and forgets those that have no jobs left. */
  sweep(after: string, limit: number): Promise<SweptGroups>;
}

export interface GroupRecord {
  readonly name: string;
  /** How many of its jobs may run at once, or null. */
  readonly concurrency: number | null;
  readonly createdAt: number;
  readonly counts: Readonly<Record<JobState, number>>;
}

export interface GroupedJob {
  readonly id: string;
  readonly group: string | null;
}

export interface SweptGroups {
  readonly removed: number;
  /** Where to go on; null when these were the last. */
  readonly next: string | null;
}
