// Whole jobs from a file, behind those that are there. Unlike a move, workers may go on meanwhile.

import type { CopiedJob, CopiedTables } from './copy.ts';

export interface Imports {
  /** Of the tables: a file of a newer one may say what this program does not know. */
  readonly schemaVersion: number;
  /** The columns of jobs, attempts and of every table that is copied, by its name. */
  copiedColumns(): Promise<Readonly<Record<string, readonly ColumnInfo[]>>>;
  /** Which of these ids have a job. */
  takenIds(ids: readonly string[]): Promise<string[]>;
  /**
   * All or none, each with a seq of its own; a taken id is job_exists. The cells say nothing of seqs. What a job waits for
   * is known by name only until linkImported() has been called.
   */
  importJobs(jobs: readonly CopiedJob[]): Promise<void>;
  /** What is there already stays as it is. */
  importTables(tables: CopiedTables): Promise<void>;
  /**
   * Imported jobs that wait for others learn who those are, and how they ended if they have; one that is not there counts
   * as deleted. About `limit` of them in one transaction.
   */
  linkImported(limit: number): Promise<{ readonly more: boolean }>;
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'real';
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}
