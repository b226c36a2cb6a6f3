// Moving whole jobs from one store to another, while no worker can register.

import type { OutputPart } from '../../job/output/output.ts';
import type { JobFilter } from './list.ts';

export interface Copies {
  /** Keeps workers from registering: they get the error queue_moving, and so does a second hold. Present workers stay. */
  hold(): Promise<Hold>;
  /**
   * Whole jobs as they are, in the order they came in: those behind `afterSeq` that match. What they wrote is not with
   * them.
   */
  copyOut(afterSeq: number, limit: number, filter?: JobFilter): Promise<CopiedJob[]>;
  /** All or none, each as it is and in its own place; new jobs come behind them. A taken id or seq is job_exists. */
  copyIn(jobs: readonly CopiedJob[]): Promise<void>;
  /**
   * What belongs to the queue itself rather than to a job: its groups, its schedules and the like. An environment is
   * given by its text, as `environment`: it has another id in each store.
   */
  copyTablesOut(): Promise<CopiedTables>;
  /** Replaces what is there. */
  copyTablesIn(tables: CopiedTables): Promise<void>;
}

/** While it is held, no worker can register. It ends with the process that holds it, even if that process is killed. */
export interface Hold {
  /** Returns false if it was lost for a time: a worker may have registered meanwhile. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** A row by its columns, which have the same names in every store. */
export type Cells = Readonly<Record<string, string | number | null>>;

/** A whole job on its way from one store to another. */
export interface CopiedJob {
  readonly job: Cells;
  /** The text of its environment, which has another id in each store. */
  readonly environment: string | null;
  readonly attempts: readonly CopiedAttempt[];
  /** What other tables say of it, by the names of the tables. */
  readonly rows: Readonly<Record<string, readonly Cells[]>>;
  /** What it is given to read, fetched when it is called; absent: nothing, or a job that was only looked at. */
  readonly stdin?: (() => Promise<Uint8Array | null>) | undefined;
}

/** Rows by the names of their tables. */
export type CopiedTables = Readonly<Record<string, readonly Cells[]>>;

export interface CopiedAttempt {
  readonly cells: Cells;
  /** What it wrote and the store is to keep, from its first byte on each time it is called. */
  readonly output?: (() => AsyncIterable<OutputPart>) | undefined;
}
