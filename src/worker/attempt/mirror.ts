// Copies what running attempts write to a store that hosts share, so that it can be read from any of them.
// At most once a second and a bounded part of each: a flood is cut by then, or catches up when the job has ended.

import type { OutputReport, OutputPart } from '../../job/output/output.ts';
import type { AttemptLog } from '../../process/output/log.ts';
import type { Lease, OutputPiece, Outputs } from '../../store/store.ts';

const BEAT_BYTES = 1_048_576;
const LEAST_BYTES = 16_384;
/** What goes along with the report of an end; more than that goes ahead of it. */
const WITH_END_BYTES = 262_144;

export interface Mirrored {
  readonly lease: Lease;
  readonly log: AttemptLog;
}

export class Mirror {
  private readonly outputs: Outputs;
  /** Up to which byte the store has them. */
  private readonly copied = new WeakMap<AttemptLog, number>();
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
    const news = running.flatMap(({ lease, log }) => {
      const part = this.next(log, share);
      return part.data.length > 0 ? [{ log, piece: pieceOf(lease, log, part) }] : [];
    });
    if (news.length === 0) return;
    try {
      await this.outputs.keep(news.map(({ piece }) => piece));
      for (const { log, piece } of news) this.copied.set(log, endOf(piece));
    } catch {
      // The next beat may find the store again.
    }
  }

  /** Of an output that has ended. The store may be away: then its end has to do, and the file stays. */
  async finish(lease: Lease, log: AttemptLog, toFile: () => OutputReport): Promise<OutputReport> {
    await this.beating;
    for (;;) {
      const part = this.next(log, BEAT_BYTES);
      if (part.data.length === 0 || (endOf(part) === log.bytes && part.data.length <= WITH_END_BYTES))
        return { record: log.record, part, logPath: null, leftOut: log.leftOut };
      try {
        await this.outputs.keep([pieceOf(lease, log, part)]);
        this.copied.set(log, endOf(part));
      } catch {
        return { ...toFile(), part: this.lastPart(log) };
      }
    }
  }

  /** What is not kept in the end need not travel. */
  private next(log: AttemptLog, length: number): OutputPart {
    const from = this.copied.get(log) ?? 0;
    const { leftOut } = log;
    if (leftOut === null || from >= leftOut.to) return log.read(from, length);
    return from < leftOut.from
      ? log.read(from, Math.min(length, leftOut.from - from))
      : log.read(leftOut.to, length);
  }

  private lastPart(log: AttemptLog): OutputPart {
    const from = Math.max(this.copied.get(log) ?? 0, log.bytes - WITH_END_BYTES);
    return log.read(from, WITH_END_BYTES);
  }
}

const endOf = ({ from, data }: OutputPart): number => from + data.length;

const pieceOf = ({ seq, run }: Lease, log: AttemptLog, { from, data }: OutputPart): OutputPiece => ({
  seq,
  run,
  from,
  data,
  leftOut: log.leftOut,
});
