// Groups of jobs.

import type { JobState } from '../../job/job.ts';

export interface Groups {
  /** Returns the newest groups first. A limit of null returns all. */
  all(limit: number | null): Promise<GroupRecord[]>;
  get(name: string): Promise<GroupRecord | null>;
  /** Returns the newest `limit` jobs, newest first, each with the name of its group or null. */
  ofNewest(limit: number): Promise<GroupedJob[]>;
  /**
   * Returns the IDs of the group's jobs in the order of creation. Beyond `limit`, running and failed jobs take
   * precedence.
   */
  jobsIn(name: string, limit: number): Promise<string[]>;
  /** Deletes a group that has no jobs. */
  removeIfEmpty(name: string): Promise<void>;
  /** Checks `limit` groups after the name `after`, and deletes those that have no jobs left. */
  sweep(after: string, limit: number): Promise<SweptGroups>;
}

export interface GroupRecord {
  readonly name: string;
  /** Maximum number of the group's jobs that run at once, or null. */
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
  /** Start of the next call; null after the last group. */
  readonly next: string | null;
}
