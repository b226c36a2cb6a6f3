// Finds lines such as `::progress 40 resizing` in a job's output. Output is searched without copying, and from its end,
// because only the last progress line counts.

import { type Progress, progressIn } from '../../job/output/progress.ts';

const MARK = '::progress ';
const MARK_BYTES = Buffer.from(MARK);
const COLON = 58;
const NEWLINE = 10;
const NOTHING: Buffer = Buffer.alloc(0);
/** Longest line to parse; notes are shorter. */
const LINE_BYTES = 1024;
/** Maximum number of false matches to skip per chunk. */
const MOST_TRIES = 64;

export class ProgressLines {
  /** Null if no progress was reported yet. */
  last: Progress | null = null;
  /** Unfinished last line that may be a progress line; null if it cannot be one. */
  private open: Buffer | null = NOTHING;

  /** Does not keep `data`. */
  add(data: Buffer): void {
    const firstEnd = data.indexOf(NEWLINE);
    if (this.open !== null) this.open = goesOn(this.open, data, firstEnd < 0 ? data.length : firstEnd);
    if (firstEnd < 0) return;
    if (this.open !== null) this.read(this.open);
    const lastEnd = data.lastIndexOf(NEWLINE);
    if (lastEnd > firstEnd) this.readLines(data.subarray(firstEnd, lastEnd));
    this.open = goesOn(NOTHING, data.subarray(lastEnd + 1), LINE_BYTES);
  }

  /** Parses the last line of a finished job, which may lack a newline. */
  end(): void {
    if (this.open !== null) this.read(this.open);
    this.open = null;
  }

  /** Each of these lines begins after a newline; the last one ends where they end. */
  private readLines(lines: Buffer): void {
    if (lines.indexOf(MARK) < 0) return; // twice as fast as a search from the end
    let at = lines.lastIndexOf(MARK);
    for (let tries = 0; at > 0 && tries < MOST_TRIES; tries++) {
      if (lines[at - 1] === NEWLINE && this.read(lineAt(lines, at))) return;
      at = lines.lastIndexOf(MARK, at - 1);
    }
  }

  private read(line: Buffer): boolean {
    if (!isStartOfMark(line) || line.length < MARK_BYTES.length) return false;
    const found = progressIn(line.toString('utf8', MARK_BYTES.length, LINE_BYTES));
    if (found !== null) this.last = found;
    return found !== null;
  }
}

function lineAt(lines: Buffer, at: number): Buffer {
  const end = lines.indexOf(NEWLINE, at);
  return lines.subarray(at, end < 0 ? undefined : end);
}

/** Returns a copy of the line with the next data if it can still become a progress line, else null. */
function goesOn(line: Buffer, data: Buffer, end: number): Buffer | null {
  if (line.length === 0 && data.length === 0) return NOTHING;
  if (line.length === 0 && data[0] !== COLON) return null; // the usual case
  const whole = Buffer.concat([line, data.subarray(0, Math.min(end, LINE_BYTES - line.length))]);
  return isStartOfMark(whole) ? whole : null;
}

function isStartOfMark(line: Buffer): boolean {
  const length = Math.min(line.length, MARK_BYTES.length);
  return line.subarray(0, length).equals(MARK_BYTES.subarray(0, length));
}
