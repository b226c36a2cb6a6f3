// Importing whole jobs from a file into a queue that may have jobs. Unlike during a move, workers keep running.

import type { CopiedJob, CopiedTables } from './copy.ts';

export interface Imports {
  /** Version of the tables. A file from a newer version may contain unknown columns. */
  readonly schemaVersion: number;
  /** Returns the columns of jobs, attempts and every other copied table, by table name. */
  copiedColumns(): Promise<Readonly<Record<string, readonly ColumnInfo[]>>>;
  /** Returns those of the IDs that are taken. */
  takenIds(ids: readonly string[]): Promise<string[]>;
  /**
   * Stores all of the jobs or none, with new seqs; a taken ID is the error job_exists. The cells contain no seqs, so
   * dependencies are known only by name until linkImported() is called.
   */
  importJobs(jobs: readonly CopiedJob[]): Promise<void>;
  /** Existing rows stay unchanged. */
  importTables(tables: CopiedTables): Promise<void>;
  /**
   * Connects about `limit` dependencies of imported jobs to the jobs and groups that they name, and takes over the
   * outcomes of finished ones. A missing job or group counts as deleted.
   */
  linkImported(limit: number): Promise<{ readonly more: boolean }>;
}

export interface ColumnInfo {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'real';
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}
