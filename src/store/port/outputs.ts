// Copies of the attempts' logs, byte for byte, where every host can read them.

import type { Lease } from './lease.ts';

export interface Outputs {
  /** What was kept from byte `from` on is replaced. Pieces whose lease is lost are left out without a word. */
  keep(pieces: readonly OutputPiece[]): Promise<void>;
  /** At most `length` bytes from byte `from` on; fewer at the end, none of an attempt that is not known. */
  read(jobId: string, number: number, from: number, length: number): Promise<Buffer>;
  /** Adds to the end, for an attempt that nobody runs any more. */
  append(jobId: string, number: number, data: Buffer): Promise<void>;
}

/** A part of what an attempt wrote: `data` stands at byte `from` of its log. */
export interface OutputPiece extends Lease {
  readonly from: number;
  readonly data: Buffer;
}
