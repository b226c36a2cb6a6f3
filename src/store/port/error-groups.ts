// Dead jobs grouped by error.

import type { JobFilter } from './list.ts';

export interface ErrorGroups {
  /** Returns the largest groups first. */
  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]>;
  /** Returns how many of the matching jobs became dead in each step of time since `from`. Empty steps are omitted. */
  errorTrend(filter: JobFilter, from: number, stepMs: number): Promise<ErrorStep[]>;
}

export interface ErrorGroup {
  /** Null for jobs that became dead before fingerprints existed. */
  readonly fingerprint: string | null;
  readonly jobs: number;
  /** When the first of these jobs became dead. */
  readonly oldestAt: number | null;
  /** When the last of these jobs became dead. */
  readonly newestAt: number | null;
  /** The job that became dead last. */
  readonly exampleId: string;
  readonly exampleError: string | null;
}

export interface ErrorStep {
  readonly fingerprint: string | null;
  /** 0 for the step that begins at `from`. */
  readonly step: number;
  readonly jobs: number;
}
