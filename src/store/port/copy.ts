// Whole jobs from one store to another.

import type { OutputPart } from '../../job/output.ts';

export interface Copies {
  /** Whole jobs as they stand, in the order they came in: those behind `afterSeq`. What they wrote is not with them. */
  copyOut(afterSeq: number, limit: number): Promise<CopiedJob[]>;
  /** All or none, each as it is and in its own place; new jobs come behind them. A taken id or seq is job_exists. */
  copyIn(jobs: readonly CopiedJob[]): Promise<void>;
}

/** A row by its columns, which have the same names in every store. */
export type Cells = Readonly<Record<string, string | number | null>>;

/** A whole job on its way from one store to another. */
export interface CopiedJob {
  readonly job: Cells;
  /** The text of its environment, which has another id in each store. */
  readonly environment: string | null;
  readonly attempts: readonly CopiedAttempt[];
}

export interface CopiedAttempt {
  readonly cells: Cells;
  /** What it wrote and the store is to keep, from its first byte on each time it is called. */
  readonly output?: (() => AsyncIterable<OutputPart>) | undefined;
}
