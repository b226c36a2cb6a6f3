// Formats output as events for scripts: one JSON document for each start, line and end.

import type { Attempt, Command } from '../job/job.ts';
import { STDERR, STDOUT, type Stream } from '../job/output/output-stamps.ts';
import { isoTime } from '../job/wire.ts';
import type { Receiver } from './receiver.ts';
import type { Stretch } from './stretches.ts';

/** Longer lines are split, so that they need not be held in memory. */
const LONGEST_BYTES = 1_048_576;
const NEWLINE = 10;
const NAMES: Partial<Record<Stream, string>> = { [STDOUT]: 'stdout', [STDERR]: 'stderr' };

export class LogEvents implements Receiver {
  private readonly write: (text: string) => void;
  private readonly stream: Stream | null;
  private number = 0;
  private next = 0;
  private pieces: Buffer[] = [];
  private held = 0;
  private since: Stretch | null = null;

  constructor(stream: Stream | null, write: (text: string) => void) {
    this.stream = stream;
    this.write = write;
  }

  get isChoosy(): boolean {
    return this.stream !== null;
  }

  begin({ number, startedAt }: Attempt, command: Command): void {
    this.number = number;
    this.next = 0;
    this.tell({ event: 'start', at: isoTime(startedAt), command });
  }

  add(stretch: Stretch): void {
    if (stretch.from > this.next) this.tellLeftOut(stretch, stretch.from - this.next);
    this.next = stretch.from + stretch.data.length;
    if (this.stream !== null && stretch.stream !== this.stream) return;
    if (this.since && this.since.stream !== stretch.stream) this.flush({ continues: true });
    for (let at = 0; at < stretch.data.length; ) {
      const end = stretch.data.indexOf(NEWLINE, at);
      this.hold(stretch, stretch.data.subarray(at, end < 0 ? stretch.data.length : end));
      if (end >= 0) this.flush();
      at = end < 0 ? stretch.data.length : end + 1;
    }
  }

  end({ endedAt, outcome, exitCode, signal, error }: Attempt): void {
    if (this.since) this.flush();
    this.tell({ event: 'end', at: isoTime(endedAt), outcome, exit_code: exitCode, signal, error });
  }

  private hold(stretch: Stretch, piece: Buffer): void {
    this.since ??= stretch;
    this.pieces.push(Buffer.from(piece));
    this.held += piece.length;
    if (this.held >= LONGEST_BYTES) this.flush({ continues: true });
  }

  private flush(more: { continues?: true } = {}): void {
    const { ms = 0, stream = 0 } = this.since ?? {};
    const name = NAMES[stream as Stream];
    const text = Buffer.concat(this.pieces).toString();
    [this.pieces, this.held, this.since] = [[], 0, null];
    this.tell({ event: 'line', at: isoTime(ms), ...(name && { stream: name }), text, ...more });
  }

  private tellLeftOut(stretch: Stretch, bytes: number): void {
    if (this.since) this.flush();
    this.tell({ event: 'left_out', at: isoTime(stretch.ms), bytes });
  }

  private tell(event: Readonly<Record<string, unknown>>): void {
    const { event: name, ...rest } = event;
    this.write(`${JSON.stringify({ event: name, attempt: this.number, ...rest })}\n`);
  }
}
