// Output of attempts: storing it and reading it back.

import type { OutputReport, LeftOut, OutputPart } from '../../job/output/output.ts';
import type { Lease } from './lease.ts';

export type { OutputReport, LeftOut } from '../../job/output/output.ts';

/** A part of an attempt's output. */
export interface OutputPiece extends Lease, OutputPart {
  readonly leftOut?: LeftOut | null | undefined;
}

/** The output that the store holds: short outputs, and on a database that several hosts share, all of it. */
export interface Outputs {
  /** Replaces the stored output from byte `from` of each piece. Skips pieces whose lease was lost. */
  keep(pieces: readonly OutputPiece[]): Promise<void>;
  /**
   * Returns up to `length` bytes from byte `from`, or from the next stored byte if it was dropped. Returns fewer bytes
   * at the end, and none for an unknown attempt.
   */
  read(jobId: string, run: number, from: number, length: number): Promise<OutputPart>;
  /** Returns the end of the last stored byte, or 0. The cost does not depend on the amount of output. */
  size(jobId: string, run: number): Promise<number>;
  /** Records the output of an attempt whose worker is gone. */
  record(jobId: string, run: number, output: OutputReport): Promise<void>;
}
