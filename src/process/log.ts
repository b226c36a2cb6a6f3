// The log of one attempt: a START line, the output as the job wrote it, an END line.
// The job writes to the file itself; beyond the size limit the middle is cut out while it writes on.

import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Command, Outcome } from '../job/job.ts';

export const START = '--- START ';
export const END = '--- END ';
/** JobInput in the END line when the newline before it is ours, not the job's. */
export const NO_NEWLINE = 'no newline at the end';
export const CUT = /\n--- (\d+) bytes left out \(log_max_bytes \d+\) ---\n/;
const LOST_LINE = /--- END \S+ worker lost ---\n$/;
const LOST_LINE_LENGTH = 64;
const NEWLINE = 10;
const LAST_LINE_LENGTH = 200;
const SPARE_FILES = 3;

export class AttemptLog {
  /** For the job's stdout and stderr. */
  readonly fd: number;
  private readonly head: number;
  private readonly middle = { leftOut: 0, marker: 0 };
  /** How much of the file was taken as it still stands there. */
  private taken = 0;

  constructor(path: string, attempt: { number: number; command: Command; startedAt: number }) {
    this.fd = openLog(path);
    try {
      openLogs.add();
      this.head = writeSync(this.fd, startLine(attempt));
    } catch (error) {
      this.close(); // a full disk, or the last files
      throw error;
    }
  }

  /** Cuts the middle out when the file has outgrown the limit. `slack` lets it grow a while before the next cut. */
  bound(maxBytes: number, slack = 0): void {
    if (fstatSync(this.fd).size <= maxBytes + slack + this.middle.marker) return;
    const kept = cutMiddle(this.fd, this.head, maxBytes, this.middle);
    this.taken = Math.min(this.taken, kept);
  }

  /** What was not taken yet, at most `length` bytes; after a cut that is all that follows it. */
  takeNew(length: number): Part | null {
    const from = this.taken;
    const data = readPart(this.fd, from, length);
    this.taken += data.length;
    return data.length === 0 ? null : { from, data };
  }

  /** Taken in vain: from this byte on it is new again. */
  putBack(from: number): void {
    this.taken = Math.min(this.taken, from);
  }

  /** Instead of all that was not taken yet, just its end, and a line that says so. */
  takeEnd(length: number): Part {
    const from = this.taken;
    const { size } = fstatSync(this.fd);
    const end = readPart(this.fd, Math.max(from, size - length), length);
    const missing = size - from - end.length;
    this.taken = size;
    const line = `\n--- ${missing} bytes left out (the queue could not be reached) ---\n`;
    return { from, data: Buffer.concat([Buffer.from(line), end]) };
  }

  /** The last line the job wrote, for an error message; null when it wrote nothing. */
  lastLine(): string | null {
    const size = fstatSync(this.fd).size;
    const length = Math.min(4096, size - this.head);
    if (length <= 0) return null;
    const lines = plain(readPart(this.fd, size - length, length).toString()).split('\n');
    return (
      lines
        .findLast((line) => line.trim() !== '')
        ?.trim()
        .slice(0, LAST_LINE_LENGTH) ?? null
    );
  }

  /** Writes the END line. */
  end(end: { at: number; how: string }): void {
    const tail = this.tail(LOST_LINE_LENGTH);
    // A worker that was taken for dead may not know it yet: somebody else has ended its log.
    if (LOST_LINE.test(tail)) return;
    const how = tail.endsWith('\n') ? end.how : `${end.how}, ${NO_NEWLINE}`;
    writeSync(this.fd, `${how === end.how ? '' : '\n'}${endLine({ at: end.at, how })}`);
  }

  /** Without an END line when somebody else speaks for this attempt now. */
  close(): void {
    closeSync(this.fd);
    openLogs.remove();
  }

  /** The last characters of the file; the end of the START line when the job wrote nothing. */
  private tail(length: number): string {
    const { size } = fstatSync(this.fd);
    if (size === this.head) return '\n';
    return readPart(this.fd, Math.max(0, size - length), length).toString('latin1');
  }
}

/** Part of a log: `data` stands at byte `from`. */
export interface Part {
  readonly from: number;
  readonly data: Buffer;
}

/** What stands where the middle was: how many bytes are missing, and how long the line is that says so. */
interface Middle {
  leftOut: number;
  marker: number;
}

/** Answers up to where the file is as it was. */
function cutMiddle(fd: number, head: number, maxBytes: number, middle: Middle): number {
  const { size } = fstatSync(fd);
  const keptHead = Math.max(head, Math.floor(maxBytes / 2));
  const keptTail = Math.max(0, maxBytes - keptHead);
  const tail = readPart(fd, size - keptTail, keptTail);
  middle.leftOut += size - keptHead - middle.marker - keptTail;
  const marker = Buffer.from(`\n--- ${middle.leftOut} bytes left out (log_max_bytes ${maxBytes}) ---\n`);
  middle.marker = marker.length;
  // What the job writes between the read and the cut is lost too: it would be next to go.
  ftruncateSync(fd, keptHead);
  writeSync(fd, Buffer.concat([marker, tail]));
  return keptHead;
}

function readPart(fd: number, from: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(length);
  return part.subarray(0, readSync(fd, part, 0, length, from));
}

/** Cuts the log of an attempt that has ended. */
export function cutLog(path: string, maxBytes: number): void {
  const fd = openSync(path, 'a+', 0o600);
  try {
    const { size } = fstatSync(fd);
    if (size <= maxBytes) return;
    const text = Buffer.allocUnsafe(size);
    readSync(fd, text, 0, size, 0);
    const [marker = '', leftOut = 0] = CUT.exec(text.toString('latin1')) ?? [];
    const middle = { leftOut: Number(leftOut), marker: marker.length };
    if (size > maxBytes + middle.marker) cutMiddle(fd, text.indexOf(NEWLINE) + 1, maxBytes, middle);
  } finally {
    closeSync(fd);
  }
}

/** What the log of an attempt ends with whose worker was lost. */
export const lostLine = (at: number): string => `\n${endLine({ at, how: 'worker lost' })}`;

/** Says in the log of an attempt that its worker was lost. The log may be gone; then there is nothing to say. */
export function markLost(path: string, at: number): void {
  try {
    const fd = openSync(path, 'a', 0o600);
    writeSync(fd, lostLine(at));
    closeSync(fd);
  } catch {
    // Full disk or removed folder: the attempt's record in the store says the same.
  }
}

/** After the commit that forgot them: a crash in between leaves a file, never a job without its log. */
export function removeLogs(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}

export function howItEnded(end: {
  outcome: Outcome;
  exitCode: number | null;
  signal: string | null;
}): string {
  if (end.outcome === 'signalled') return `signal=${end.signal}`;
  if (end.outcome === 'completed' || end.outcome === 'failed' || end.outcome === 'not_started') {
    return `rc=${end.exitCode}`;
  }
  return end.outcome === 'worker_lost' ? 'worker lost' : end.outcome;
}

/**
 * To look after a job, and to end it, takes files too. A log that leaves none for that is one too many. It is tried out
 * when more logs are open than ever before: as many as that have left enough already.
 */
const openLogs = {
  count: 0,
  most: 0,
  add(): void {
    this.count++;
    if (this.count <= this.most) return;
    expectSpareFiles();
    this.most = this.count;
  },
  remove(): void {
    this.count--;
  },
};

function expectSpareFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < SPARE_FILES) opened.push(openSync('/dev/null', 'r'));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'a+', 0o600);
  }
}

const startLine = (attempt: { number: number; command: Command; startedAt: number }): string =>
  `${START}${iso(attempt.startedAt)} attempt=${attempt.number} command=${JSON.stringify(attempt.command)} ---\n`;

const endLine = (end: { at: number; how: string }): string => `${END}${iso(end.at)} ${end.how} ---\n`;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Without colours and other control characters, which have no place in an error message. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ');
}
