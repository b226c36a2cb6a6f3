// The log file of a finished attempt: a START line, the output, and an END line, for users who open the file. queuectl
// finds the output by recorded offsets and ignores these lines.

import { closeSync, rmSync } from 'node:fs';
import { keptParts, NO_OUTPUT, type OutputPart, type OutputRecord } from '../../job/output/output.ts';
import type { Stamp } from '../../job/output/output-stamps.ts';
import { openInFolder, readAt, withFile, writeAll } from '../../system/files.ts';
import { type Available, removeJournal } from './journal-files.ts';
import { leftOutLine } from './log-lines.ts';

const COPY_BYTES = 1_048_576;
const NEWLINE = 10;

/** Output that can be read from any offset; dropped bytes are skipped. */
export interface Readable {
  readonly available: Available;
  read(from: number, length: number): OutputPart;
}

export interface Lines {
  readonly start: string;
  readonly end: string;
}

/** Writes a new file within the limit and returns the record to store. */
export function writeLog(path: string, output: Readable, lines: Lines, limit: number): OutputRecord {
  const { bytes } = output.available;
  const { head, tail } = keptParts(output.available, limit);
  const log = new LogWriter(path, lines.start);
  try {
    copy(output, { from: 0, to: head }, log);
    copy(output, { from: bytes - tail, to: bytes }, log);
    return log.end(lines.end);
  } finally {
    log.close();
  }
}

function copy({ read }: Readable, { from, to }: { from: number; to: number }, log: LogWriter): void {
  for (let at = from; at < to; ) {
    const part = read(at, Math.min(COPY_BYTES, to - at));
    if (part.data.length === 0) throw new Error('the output no longer exists');
    log.add(part);
    at = part.from + part.data.length;
  }
}

/** Writes part by part. Never overwrites an existing file. */
export class LogWriter {
  private readonly fd: number;
  private record: OutputRecord;
  private position = 0;
  private lastByte: number | undefined = NEWLINE;

  constructor(path: string, start: string) {
    this.fd = openInFolder(path, 'wx');
    this.write(Buffer.from(start));
    this.record = { ...NO_OUTPUT, headAt: this.position };
  }

  /** Data after a gap belongs to the tail. */
  add({ from, data }: OutputPart): void {
    const { bytes, head, tail } = this.record;
    if (from > bytes) {
      this.write(Buffer.from(leftOutLine(from - bytes)));
      this.record = { ...this.record, tailAt: this.position };
    }
    this.write(data);
    const kept = this.record.tailAt > 0 ? { tail: tail + data.length } : { head: head + data.length };
    this.record = { ...this.record, ...kept, bytes: from + data.length };
  }

  /** Puts the END line on its own line, whatever the output ends with. */
  end(line: string): OutputRecord {
    if (line !== '') this.write(Buffer.from(this.lastByte === NEWLINE ? line : `\n${line}`));
    return this.record;
  }

  close(): void {
    closeSync(this.fd);
  }

  private write(data: Buffer): void {
    writeAll(this.fd, data, this.position);
    this.position += data.length;
    this.lastByte = data.at(-1) ?? this.lastByte;
  }
}

/** Returns the next bytes at or after this offset, skipping dropped ones, or null if the file does not exist. */
export function readLog(path: string, record: OutputRecord, from: number, length: number): OutputPart | null {
  const { bytes, head, tail, headAt, tailAt } = record;
  const at = from < head ? from : Math.max(from, bytes - tail);
  const end = from < head ? head : bytes;
  const position = from < head ? headAt + at : tailAt + at - (bytes - tail);
  return withFile(path, (fd) => ({
    from: at,
    data: readAt(fd, position, Math.max(0, Math.min(length, end - at))),
  }));
}

/**
 * Call after the commit that deleted their records: a crash in between leaves a stray file, never a job without its
 * log.
 */
export function removeLogs(paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(path, { force: true });
    removeJournal(path);
  }
}

/** Drops stamps of bytes that are not kept. */
export function stampsWithin(stamps: readonly Stamp[], { bytes, head, tail }: Omit<OutputRecord, 'stamps'>): Stamp[] {
  const tailFrom = bytes - tail;
  return stamps.filter(({ at }, i) => at < head || (stamps[i + 1]?.at ?? bytes + 1) > tailFrom);
}
