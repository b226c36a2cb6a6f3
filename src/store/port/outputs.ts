// What attempts wrote: storing it and reading it back.

import type { OutputReport, LeftOut, OutputPart } from '../../job/output/output.ts';
import type { Lease } from './lease.ts';

export type { OutputReport, LeftOut } from '../../job/output/output.ts';

/** A part of what an attempt wrote. */
export interface OutputPiece extends Lease, OutputPart {
  readonly leftOut?: LeftOut | null | undefined;
}

/** What attempts wrote, as far as the store has it: small outputs, and all of them where hosts share it. */
export interface Outputs {
  /** What was kept from byte `from` on is replaced. Pieces whose lease is lost are silently left out. */
  keep(pieces: readonly OutputPiece[]): Promise<void>;
  /**
   * At most `length` bytes from byte `from` on, or from the next that is kept; fewer at the end, none of an attempt that
   * is not known.
   */
  read(jobId: string, run: number, from: number, length: number): Promise<OutputPart>;
  /** Where the last byte that is kept ends; 0 when there is none. Costs the same however much there is. */
  size(jobId: string, run: number): Promise<number>;
  /** Records the output of an attempt that has lost its worker. */
  record(jobId: string, run: number, output: OutputReport): Promise<void>;
}
