// Moving whole jobs from one store to another, while no worker can register.

import type { OutputPart } from '../../job/output/output.ts';
import type { JobFilter } from './list.ts';

export interface Copies {
  /** Keeps workers from registering: they get the error queue_moving, and so does a second hold. Present workers stay. */
  hold(): Promise<Hold>;
  /** Returns whole jobs after `afterSeq` that match, in the order of creation, without their output. */
  copyOut(afterSeq: number, limit: number, filter?: JobFilter): Promise<CopiedJob[]>;
  /**
   * Stores all of the jobs or none, with their seqs. New jobs get larger seqs. A taken ID or seq is the error
   * job_exists.
   */
  copyIn(jobs: readonly CopiedJob[]): Promise<void>;
  /**
   * Returns the rows that belong to the queue rather than to a job, such as groups and schedules. Environments are
   * included as text, in the column `environment`, because each store has its own environment IDs.
   */
  copyTablesOut(): Promise<CopiedTables>;
  /** Replaces the existing rows. */
  copyTablesIn(tables: CopiedTables): Promise<void>;
}

/** While it is held, no worker can register. It ends with the process that holds it, even if that process is killed. */
export interface Hold {
  /** Returns false if it was lost for a time: a worker may have registered meanwhile. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** A row, by column name. All stores use the same names. */
export type Cells = Readonly<Record<string, string | number | null>>;

/** A whole job in transit between two stores. */
export interface CopiedJob {
  readonly job: Cells;
  /** Text of the job's environment, because each store has its own environment IDs. */
  readonly environment: string | null;
  readonly attempts: readonly CopiedAttempt[];
  /** The job's rows in other tables, by table name. */
  readonly rows: Readonly<Record<string, readonly Cells[]>>;
  /** Loads the standard input. Absent if the job has none, or if the copy does not need it. */
  readonly stdin?: (() => Promise<Uint8Array | null>) | undefined;
}

/** Rows by table name. */
export type CopiedTables = Readonly<Record<string, readonly Cells[]>>;

export interface CopiedAttempt {
  readonly cells: Cells;
  /** Streams the output that the store keeps. Each call starts at the first byte. */
  readonly output?: (() => AsyncIterable<OutputPart>) | undefined;
}
