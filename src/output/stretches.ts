// Splits output into stretches: parts that arrived at one time on one stream.

import type { OutputPart } from '../job/output/output.ts';
import { type Stamp, MERGED, type Stream } from '../job/output/output-stamps.ts';

export interface Stretch extends OutputPart {
  readonly ms: number;
  readonly stream: Stream;
}

/** `otherwise` is the time of bytes without a stamp. */
export function* stretchesOf(part: OutputPart, stamps: readonly Stamp[], otherwise: number): Generator<Stretch> {
  const end = part.from + part.data.length;
  let i = lastUpTo(stamps, part.from);
  for (let at = part.from; at < end; ) {
    const to = Math.min(end, stamps[i + 1]?.at ?? end);
    const { ms = otherwise, stream = MERGED } = stamps[i] ?? {};
    yield { from: at, data: part.data.subarray(at - part.from, to - part.from), ms, stream };
    at = to;
    i++;
  }
}

/** Returns the index of the last stamp at or before this offset, or -1. */
function lastUpTo(stamps: readonly Stamp[], offset: number): number {
  let [low, high] = [0, stamps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stamps[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
