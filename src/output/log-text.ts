// Formats output as text for users: with START and END lines or without, and optionally with timestamps.

import { isoOf } from '../time/iso.ts';
import type { Attempt, Command, Outcome } from '../job/job.ts';
import type { Stream } from '../job/output/output-stamps.ts';
import { endLine, howItEnded, leftOutLine, startLine } from '../process/output/log-lines.ts';
import type { Receiver } from './receiver.ts';
import type { Stretch } from './stretches.ts';

export interface View {
  /** Prints only the job's output. */
  readonly raw: boolean;
  readonly timestamps: boolean;
  /** Null for both streams. */
  readonly stream: Stream | null;
}

const NEWLINE = 10;

export class LogText implements Receiver {
  private readonly view: View;
  private readonly write: (text: string | Uint8Array) => void;
  private next = 0;
  private isLineOpen = false;
  /** True if the text of an earlier version includes START and END lines. */
  private isPlainText = false;

  constructor(view: View, write: (text: string | Uint8Array) => void) {
    this.view = view;
    this.write = write;
  }

  get isChoosy(): boolean {
    return this.view.stream !== null;
  }

  begin({ number, run, startedAt, output }: Attempt, command: Command): void {
    this.continueAt(0, output === null);
    if (!this.view.raw && !this.isPlainText) this.write(startLine({ number, run, command, startedAt }));
  }

  /** Continues in the middle, without a START line. */
  continueAt(from: number, isPlainText = false): void {
    this.next = from;
    this.isLineOpen = false;
    this.isPlainText = isPlainText;
  }

  add(stretch: Stretch): void {
    const leftOut = stretch.from - this.next;
    this.next = stretch.from + stretch.data.length;
    if (this.view.stream !== null && stretch.stream !== this.view.stream) return;
    if (leftOut > 0 && !this.view.raw) this.tellLeftOut(leftOut);
    if (this.view.timestamps) this.writeLines(stretch);
    else this.write(stretch.data);
    this.isLineOpen = stretch.data.at(-1) !== NEWLINE;
  }

  end(attempt: Attempt): void {
    if (this.view.raw || this.isPlainText) return;
    const how = howItEnded({ ...attempt, outcome: attempt.outcome as Outcome });
    this.write(`${this.isLineOpen ? '\n' : ''}${endLine({ at: attempt.endedAt ?? 0, how })}`);
    this.isLineOpen = false;
  }

  private tellLeftOut(bytes: number): void {
    this.write(leftOutLine(bytes));
    this.isLineOpen = false;
  }

  private writeLines({ data, ms }: Stretch): void {
    const time = `${isoOf(ms)}  `;
    for (let at = 0; at < data.length; ) {
      const end = data.indexOf(NEWLINE, at) + 1 || data.length;
      if (!this.isLineOpen) this.write(time);
      this.write(data.subarray(at, end));
      this.isLineOpen = data[end - 1] !== NEWLINE;
      at = end;
    }
  }
}
