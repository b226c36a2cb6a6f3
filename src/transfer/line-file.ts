// Reads the lines of a file with their positions, in bounded memory, starting anywhere.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { readAt } from '../system/files.ts';

const READ_BYTES = 1_048_576;
/** Far longer than any line of an export. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

export interface FileLine {
  readonly text: string;
  /** Starts at 1. */
  readonly number: number;
  /** Start of the line, and start of the next one. */
  readonly from: number;
  readonly to: number;
  /** True if a newline ends it. */
  readonly isWhole: boolean;
}

export class LineFile {
  readonly size: number;
  private readonly fd: number;

  /** Takes a path, or an open file, which it closes. */
  constructor(file: string | number) {
    this.fd = typeof file === 'string' ? openSync(file, 'r') : file;
    this.size = fstatSync(this.fd).size;
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Yields lines from `from` up to `to`. A line that is too long is truncated. */
  *lines(from = 0, to = this.size): Generator<FileLine> {
    let [rest, start, number] = [Buffer.alloc(0) as Buffer, from, 1];
    for (let at = from; at < to; ) {
      const read = readAt(this.fd, at, Math.min(READ_BYTES, to - at));
      if (read.length === 0) break;
      at += read.length;
      rest = rest.length === 0 ? read : Buffer.concat([rest, read]);
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        yield lineOf(rest.subarray(0, end), number++, start, start + end + 1, true);
        start += end + 1;
        rest = rest.subarray(end + 1);
      }
      if (rest.length > LONGEST_LINE_BYTES) break;
    }
    if (rest.length > 0) yield lineOf(rest.subarray(0, READ_BYTES), number, start, start + rest.length, false);
  }
}

const lineOf = (bytes: Buffer, number: number, from: number, to: number, isWhole: boolean): FileLine => ({
  text: bytes.toString(),
  number,
  from,
  to,
  isWhole,
});
