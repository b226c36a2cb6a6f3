// Finds `::progress 40 resizing` among the lines that a job writes. A flood of output is searched and never copied, and
// a flood of such lines is read from its end: only the last one counts, so few of them are looked at.

import { type Progress, progressIn } from '../../job/output/progress.ts';

const MARK = '::progress ';
const MARK_BYTES = Buffer.from(MARK);
const COLON = 58;
const NEWLINE = 10;
const NOTHING: Buffer = Buffer.alloc(0);
/** What is kept of a line; the note in it is shorter. */
const LINE_BYTES = 1024;
/** So many places that only look like it are passed over in one piece of output. */
const MOST_TRIES = 64;

export class ProgressLines {
  /** null: it has not said anything yet. */
  last: Progress | null = null;
  /** The line at the end that may be such a line and has no end yet; null: it is another one. */
  private open: Buffer | null = NOTHING;

  /** `data` is only lent. */
  add(data: Buffer): void {
    const firstEnd = data.indexOf(NEWLINE);
    if (this.open !== null) this.open = goesOn(this.open, data, firstEnd < 0 ? data.length : firstEnd);
    if (firstEnd < 0) return;
    if (this.open !== null) this.read(this.open);
    const lastEnd = data.lastIndexOf(NEWLINE);
    if (lastEnd > firstEnd) this.readLines(data.subarray(firstEnd, lastEnd));
    this.open = goesOn(NOTHING, data.subarray(lastEnd + 1), LINE_BYTES);
  }

  /** The job has ended: its last line may have no newline. */
  end(): void {
    if (this.open !== null) this.read(this.open);
    this.open = null;
  }

  /** Each of these lines begins behind a newline; the last one ends where they end. */
  private readLines(lines: Buffer): void {
    if (lines.indexOf(MARK) < 0) return; // twice as fast as to search from the end
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

/** A copy of the line with what comes next, as far as it can still become such a line; else null. */
function goesOn(line: Buffer, data: Buffer, end: number): Buffer | null {
  if (line.length === 0 && data.length === 0) return NOTHING;
  if (line.length === 0 && data[0] !== COLON) return null; // which is nearly always so
  const whole = Buffer.concat([line, data.subarray(0, Math.min(end, LINE_BYTES - line.length))]);
  return isStartOfMark(whole) ? whole : null;
}

function isStartOfMark(line: Buffer): boolean {
  const length = Math.min(line.length, MARK_BYTES.length);
  return line.subarray(0, length).equals(MARK_BYTES.subarray(0, length));
}
