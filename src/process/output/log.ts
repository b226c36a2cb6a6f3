// The log of a running attempt: receives the job's output, keeps it within the limit, and hands it over at the end. A
// short job needs no file; a longer job's output is on disk as soon as it is received.

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
  /** Current value of log_max_bytes. */
  readonly limit: () => number;
  readonly now: () => number;
  /** Receives output for watching clients. Must not keep the buffer. */
  readonly watch?: ((data: Buffer, stream: Stream) => void) | undefined;
}

/** Maximum delay of merged-stream stamps for readers of a running job; split-stream stamps are written at once. */
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

  /** Writes output to disk immediately from now on. */
  lasts(): void {
    this.isLasting = true;
  }

  /** True if there are files to remove after the output is recorded. */
  get hasJournal(): boolean {
    return this.journal.bytes > 0;
  }

  /** Does not keep `data`. */
  add(data: Buffer, stream: Stream = MERGED): void {
    const part = { from: this.bytes, data };
    this.bytes += data.length;
    this.stamps.add({ at: part.from, ms: this.options.now(), stream });
    this.small = this.bytes <= KEPT_IN_STORE_BYTES && this.small ? Buffer.concat([this.small, data]) : null;
    this.last = endOf(this.last, data);
    this.options.watch?.(data, stream);
    if (this.isLasting) this.noteStamps(stream); // stamps first, so that readers find them with the output
    this.keep(part);
  }

  /** Returns the next bytes at or after this offset, skipping dropped ones. */
  read(from: number, length: number): OutputPart {
    const written = from < this.journal.bytes ? readJournal(this.options.path, from, length) : null;
    return written ?? this.unwritten.read(from, length);
  }

  /** Dropped middle part, or null. */
  get leftOut(): LeftOut | null {
    const { head, tail } = keptParts(this.available, this.options.limit());
    return head + tail < this.bytes ? { from: head, to: this.bytes - tail } : null;
  }

  /** Returns the last line of output for an error message, or null if there is no text. */
  lastLine(): string | null {
    return lastLineOf(this.last);
  }

  /** Record of an output that the store has received in parts. */
  get record(): OutputRecord {
    const { head, tail } = keptParts(this.available, this.options.limit());
    return this.withStamps({ ...NO_OUTPUT, bytes: this.bytes, head, tail });
  }

  /** Small output goes to the store, larger output to the log file. */
  finish(lines: () => Lines): OutputReport {
    if (this.bytes === 0) return { record: NO_OUTPUT, part: null, logPath: null };
    if (this.small && this.leftOut === null)
      return { record: this.record, part: { from: 0, data: this.small }, logPath: null };
    try {
      return this.toFile(lines());
    } catch {
      return this.lastWords(); // disk full
    }
  }

  /** Keeps the journal for the worker that holds this attempt now. */
  close(): void {
    clearTimeout(this.noteTimer);
    this.journal.close();
  }

  private toFile(lines: Lines): OutputReport {
    const { path, limit } = this.options;
    if (this.hasJournal) this.flush();
    const record = writeLog(path, { available: this.available, read: (...at) => this.read(...at) }, lines, limit());
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

  /** Output that arrived all at once needs no stamps, because the attempt records its end time. */
  private withStamps(record: Omit<OutputRecord, 'stamps'>): OutputRecord {
    const [first, second] = this.stamps.all;
    const isOnce = !this.isLasting && second === undefined && first?.stream === MERGED;
    return { ...record, stamps: isOnce ? [] : stampsWithin(this.stamps.all, record) };
  }

  private get available(): Available {
    const { bytes } = this;
    return this.hasJournal ? { ...this.journal.available, bytes } : { head: bytes, tailFrom: bytes, bytes };
  }

  /** Keeps data in memory that cannot be written now. */
  private keep(part: OutputPart): void {
    if (this.isLasting) this.flush();
    const count = this.isLasting && this.unwritten.bytes === 0 ? this.write(part) : 0;
    if (count < part.data.length) this.unwritten.add({ from: part.from + count, data: part.data.subarray(count) });
  }

  private flush(): void {
    this.unwritten.flush((part) => this.write(part));
  }

  private write(part: OutputPart): number {
    return this.journal.append(part, this.options.limit());
  }

  private noteStamps(stream: Stream): void {
    const waitMs = this.notedAt + NOTE_STAMPS_MS - performance.now();
    if (stream === MERGED && waitMs > 0) this.noteTimer ??= setTimeout(() => this.writeStamps(), waitMs).unref();
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
