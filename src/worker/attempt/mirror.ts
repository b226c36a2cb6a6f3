// Copies the output of running attempts to a store shared by several hosts, so that all of them can read it. Copies a
// bounded part of each at most once a second; floods are dropped, or copied after the exit.

import type { OutputReport, OutputPart } from '../../job/output/output.ts';
import type { AttemptLog } from '../../process/output/log.ts';
import type { Lease, OutputPiece, Outputs } from '../../store/store.ts';

const BEAT_BYTES = 1_048_576;
const LEAST_BYTES = 16_384;
/** Maximum size sent with the report of an ending; anything larger is sent before it. */
const WITH_END_BYTES = 262_144;

export interface Mirrored {
  readonly lease: Lease;
  readonly log: AttemptLog;
}

export class Mirror {
  private readonly outputs: Outputs;
  /** Number of bytes already in the store. */
  private readonly copied = new WeakMap<AttemptLog, number>();
  private beating: Promise<void> = Promise.resolve();
  private isBeating = false;

  constructor(outputs: Outputs) {
    this.outputs = outputs;
  }

  /** Copies new output. A slow copy delays the next one. */
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
      // The store may be reachable at the next beat.
    }
  }

  /** Copies the rest of a finished output. If the store is unreachable, only the end is sent and the file is kept. */
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

  /** Skips bytes that will be dropped anyway. */
  private next(log: AttemptLog, length: number): OutputPart {
    const from = this.copied.get(log) ?? 0;
    const { leftOut } = log;
    if (leftOut === null || from >= leftOut.to) return log.read(from, length);
    return from < leftOut.from ? log.read(from, Math.min(length, leftOut.from - from)) : log.read(leftOut.to, length);
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
