// The log of one attempt while it runs: takes what the job writes, keeps it within its limit, and hands it over at the
// end. A job that ends at once needs no file at all; of one that goes on everything is on disk when it was received.

import {
  type OutputReport,
  KEPT_IN_STORE_BYTES,
  keptParts,
  type LeftOut,
  NO_OUTPUT,
  type OutputPart,
  type OutputRecord,
} from '../../job/output/output.ts';
import { MERGED, Stamps, type Stream } from '../../job/output/output-stamps.ts';
import { Journal } from './journal.ts';
import { type Available, readJournal } from './journal-files.ts';
import { LAST_LINE_BYTES, lastLineOf } from './last-line.ts';
import { type Lines, stampsWithin, writeLog } from './log-file.ts';
import { Unwritten } from './unwritten.ts';

export interface LogOptions {
  readonly path: string;
  /** log_max_bytes, as it is now. */
  readonly limit: () => number;
  readonly now: () => number;
  /** Shown to those who watch; only lent. */
  readonly watch?: ((data: Buffer, stream: Stream) => void) | undefined;
}

/** Stamps of a merged stream reach the readers of a running job within this time; those of split streams at once. */
const NOTE_STAMPS_MS = 100;

const NOTHING = Buffer.alloc(0);

export class AttemptLog {
  bytes = 0;
  private readonly options: LogOptions;
  private readonly journal: Journal;
  private readonly stamps = new Stamps();
  private readonly unwritten = new Unwritten();
  /** The whole output while it is small, then null. */
  private small: Buffer | null = NOTHING;
  private last: Buffer = NOTHING;
  private isLasting = false;
  private notedAt = Number.NEGATIVE_INFINITY;
  private noteTimer: NodeJS.Timeout | undefined;

  constructor(options: LogOptions) {
    this.options = options;
    this.journal = new Journal(options.path);
  }

  /** What comes from now on is on disk at once. */
  lasts(): void {
    this.isLasting = true;
  }

  /** Whether there are files that are to go when the output is recorded. */
  get hasJournal(): boolean {
    return this.journal.bytes > 0;
  }

  /** `data` is only lent. */
  add(data: Buffer, stream: Stream = MERGED): void {
    const part = { from: this.bytes, data };
    this.bytes += data.length;
    this.stamps.add({ at: part.from, ms: this.options.now(), stream });
    this.small = this.bytes <= KEPT_IN_STORE_BYTES && this.small ? Buffer.concat([this.small, data]) : null;
    this.last = endOf(this.last, data);
    this.options.watch?.(data, stream);
    if (this.isLasting) this.noteStamps(stream); // first: then readers of the output find its stamps
    this.keep(part);
  }

  /** The next bytes at this offset, or behind it when those were left out. */
  read(from: number, length: number): OutputPart {
    const written = from < this.journal.bytes ? readJournal(this.options.path, from, length) : null;
    return written ?? this.unwritten.read(from, length);
  }

  /** The middle that is not kept, when there is one. */
  get leftOut(): LeftOut | null {
    const { head, tail } = keptParts(this.available, this.options.limit());
    return head + tail < this.bytes ? { from: head, to: this.bytes - tail } : null;
  }

  /** The last line the job wrote, for an error message; null when there is none that is text. */
  lastLine(): string | null {
    return lastLineOf(this.last);
  }

  /** For an output that the store has got part by part. */
  get record(): OutputRecord {
    const { head, tail } = keptParts(this.available, this.options.limit());
    return this.withStamps({ ...NO_OUTPUT, bytes: this.bytes, head, tail });
  }

  /** A small output is for the store, any other goes to the log file. */
  finish(lines: () => Lines): OutputReport {
    if (this.bytes === 0) return { record: NO_OUTPUT, part: null, logPath: null };
    if (this.small && this.leftOut === null)
      return { record: this.record, part: { from: 0, data: this.small }, logPath: null };
    try {
      return this.toFile(lines());
    } catch {
      return this.lastWords(); // a full disk
    }
  }

  /** Leaves the journal to the worker that has this attempt now. */
  close(): void {
    clearTimeout(this.noteTimer);
    this.journal.close();
  }

  private toFile(lines: Lines): OutputReport {
    const { path, limit } = this.options;
    if (this.hasJournal) this.flush();
    const record = writeLog(
      path,
      { available: this.available, read: (...at) => this.read(...at) },
      lines,
      limit(),
    );
    return { record: this.withStamps(record), part: null, logPath: path };
  }

  private lastWords(): OutputReport {
    const { bytes, last } = this;
    const record = { ...NO_OUTPUT, bytes, tail: last.length };
    return {
      record: this.withStamps(record),
      part: { from: bytes - last.length, data: last },
      logPath: null,
    };
  }

  /** An output that came all at once needs no time: the end of the attempt says it. */
  private withStamps(record: Omit<OutputRecord, 'stamps'>): OutputRecord {
    const [first, second] = this.stamps.all;
    const isOnce = !this.isLasting && second === undefined && first?.stream === MERGED;
    return { ...record, stamps: isOnce ? [] : stampsWithin(this.stamps.all, record) };
  }

  private get available(): Available {
    const { bytes } = this;
    return this.hasJournal ? { ...this.journal.available, bytes } : { head: bytes, tailFrom: bytes, bytes };
  }

  /** What cannot be written now waits in memory. */
  private keep(part: OutputPart): void {
    if (this.isLasting) this.flush();
    const count = this.isLasting && this.unwritten.bytes === 0 ? this.write(part) : 0;
    if (count < part.data.length)
      this.unwritten.add({ from: part.from + count, data: part.data.subarray(count) });
  }

  private flush(): void {
    this.unwritten.flush((part) => this.write(part));
  }

  private write(part: OutputPart): number {
    return this.journal.append(part, this.options.limit());
  }

  private noteStamps(stream: Stream): void {
    const waitMs = this.notedAt + NOTE_STAMPS_MS - performance.now();
    if (stream === MERGED && waitMs > 0)
      this.noteTimer ??= setTimeout(() => this.writeStamps(), waitMs).unref();
    else this.writeStamps();
  }

  private writeStamps(): void {
    clearTimeout(this.noteTimer);
    this.noteTimer = undefined;
    this.notedAt = performance.now();
    this.journal.noteStamps(this.stamps);
  }
}

function endOf(last: Buffer, data: Buffer): Buffer {
  if (data.length >= LAST_LINE_BYTES) return Buffer.from(data.subarray(-LAST_LINE_BYTES));
  return Buffer.concat([last, data]).subarray(-LAST_LINE_BYTES);
}
