// Copies the logs of running attempts to a store that hosts share, so that they can be read from any of them.
// At most once a second and a bounded part of each log: a flood is cut by then, or catches up when the job has ended.

import type { AttemptLog } from '../process/log.ts';
import type { Ended, Lease, OutputPiece, Outputs } from '../store/store.ts';

const BEAT_BYTES = 1_048_576;
const LEAST_BYTES = 16_384;
/** What goes along with the report of an end; more than that goes ahead of it. */
const WITH_END_BYTES = 262_144;

export interface Mirrored {
  readonly lease: Lease;
  readonly log: AttemptLog;
}

/** What is left to keep at the end of an attempt, and whether the copy is whole with it. */
export interface Rest {
  readonly output: Ended['output'];
  readonly isWhole: boolean;
}

export class Mirror {
  private readonly outputs: Outputs;
  private beating: Promise<void> = Promise.resolve();
  private isBeating = false;

  constructor(outputs: Outputs) {
    this.outputs = outputs;
  }

  /** Copies what is new. A beat that takes long is not overtaken by the next. */
  beat(running: readonly Mirrored[]): void {
    if (this.isBeating || running.length === 0) return;
    this.isBeating = true;
    this.beating = this.copy(running).finally(() => {
      this.isBeating = false;
    });
  }

  private async copy(running: readonly Mirrored[]): Promise<void> {
    const share = Math.max(LEAST_BYTES, Math.floor(BEAT_BYTES / running.length));
    const taken = running.flatMap(({ lease, log }) => {
      const piece = log.takeNew(share);
      return piece ? [{ log, piece: pieceOf(lease, piece) }] : [];
    });
    if (taken.length === 0) return;
    try {
      await this.outputs.keep(taken.map(({ piece }) => piece));
    } catch {
      for (const { log, piece } of taken) log.putBack(piece.from); // the next beat may find the store again
    }
  }

  /** Of a log that has ended. The store may be away: then the end of the log has to do. */
  async rest(lease: Lease, log: AttemptLog): Promise<Rest> {
    await this.beating;
    for (;;) {
      const piece = log.takeNew(BEAT_BYTES);
      if (piece === null) return { output: undefined, isWhole: true };
      if (piece.data.length <= WITH_END_BYTES) return { output: piece, isWhole: true };
      try {
        await this.outputs.keep([pieceOf(lease, piece)]);
      } catch {
        log.putBack(piece.from);
        return { output: log.takeEnd(WITH_END_BYTES), isWhole: false };
      }
    }
  }
}

const pieceOf = ({ seq, number }: Lease, { from, data }: { from: number; data: Buffer }): OutputPiece => ({
  seq,
  number,
  from,
  data,
});
