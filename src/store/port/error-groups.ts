// Dead jobs by what they died of.

import type { JobFilter } from './list.ts';

export interface ErrorGroups {
  /** The largest first, at most `limit` of them. */
  errorGroups(filter: JobFilter, limit: number): Promise<ErrorGroup[]>;
  /** How many of those that match died within each step of time from `from` on; steps without any are left out. */
  errorTrend(filter: JobFilter, from: number, stepMs: number): Promise<ErrorStep[]>;
}

export interface ErrorGroup {
  /** null: for jobs that died before errors were told apart. */
  readonly fingerprint: string | null;
  readonly jobs: number;
  /** When the first of them died. */
  readonly oldestAt: number | null;
  /** When the last of them died. */
  readonly newestAt: number | null;
  /** The one that died last. */
  readonly exampleId: string;
  readonly exampleError: string | null;
}

export interface ErrorStep {
  readonly fingerprint: string | null;
  /** 0: the one that begins at `from`. */
  readonly step: number;
  readonly jobs: number;
}
