// Output that is not on disk yet, because the job may end soon or the disk is full. Bounded; the oldest part is dropped
// first.

import type { OutputPart } from '../../job/output/output.ts';

const MOST_BYTES = 2 * 1_048_576;

export class Unwritten {
  bytes = 0;
  private parts: OutputPart[] = [];

  /** Copies `data`. */
  add({ from, data }: OutputPart): void {
    this.parts.push({ from, data: Buffer.from(data) });
    this.bytes += data.length;
    while (this.bytes > MOST_BYTES) this.bytes -= this.parts.shift()?.data.length ?? 0;
  }

  /** Passes its content to `write` until a call accepts less than it was given. */
  flush(write: (part: OutputPart) => number): void {
    for (let part = this.parts[0]; part; part = this.parts[0]) {
      const count = write(part);
      this.bytes -= count;
      this.parts.shift();
      if (count === part.data.length) continue;
      this.parts.unshift({ from: part.from + count, data: part.data.subarray(count) });
      return;
    }
  }

  /** Returns the next buffered bytes at or after this offset. */
  read(from: number, length: number): OutputPart {
    const first = this.parts.findIndex((part) => part.from + part.data.length > from);
    const start = Math.max(from, this.parts[first]?.from ?? from);
    const found: Buffer[] = [];
    let at = start;
    for (const part of first < 0 ? [] : this.parts.slice(first)) {
      if (part.from > at || at >= start + length) break;
      found.push(part.data.subarray(at - part.from, start + length - part.from));
      at = part.from + part.data.length;
    }
    return { from: start, data: Buffer.concat(found) };
  }
}
