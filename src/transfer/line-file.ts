// The lines of a file with where each of them stands, in bounded memory, and once more from anywhere.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { readAt } from '../system/files.ts';

const READ_BYTES = 1_048_576;
/** No line that we write is nearly as long. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

export interface FileLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** Where it begins, and where the next one does. */
  readonly from: number;
  readonly to: number;
  /** Whether a newline ends it. */
  readonly isWhole: boolean;
}

export class LineFile {
  readonly size: number;
  private readonly fd: number;

  /** By its path, or as it was opened: it is closed here. */
  constructor(file: string | number) {
    this.fd = typeof file === 'string' ? openSync(file, 'r') : file;
    this.size = fstatSync(this.fd).size;
  }

  close(): void {
    closeSync(this.fd);
  }

  /** From `from` up to `to`. A line that is too long to be one of ours is answered in part. */
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
    if (rest.length > 0)
      yield lineOf(rest.subarray(0, READ_BYTES), number, start, start + rest.length, false);
  }
}

const lineOf = (bytes: Buffer, number: number, from: number, to: number, isWhole: boolean): FileLine => ({
  text: bytes.toString(),
  number,
  from,
  to,
  isWhole,
});
