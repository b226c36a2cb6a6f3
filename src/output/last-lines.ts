// Finds the last lines of several attempts, treated as one text. Searches from the end, so that the cost depends on the
// lines only.

import type { Stream } from '../job/output/output-stamps.ts';
import type { ReadableOutput } from './readable-output.ts';
import type { View } from './log-text.ts';
import type { Extent } from './receiver.ts';
import type { Stretch } from './stretches.ts';

const READ_BYTES = 65_536;
const NEWLINE = 10;

export interface Shown extends Extent {
  readonly output: ReadableOutput;
}

/** Returns the parts of the attempts that contain them, in order. */
export async function lastLines(outputs: readonly ReadableOutput[], lines: number, view: View): Promise<Shown[]> {
  const shown: Shown[] = [];
  let left = lines;
  for (const output of outputs.toReversed()) {
    if (left <= 0) break;
    const hasMarkers = !view.raw && !output.isPlainText;
    const withEnd = hasMarkers && output.attempt.endedAt !== null;
    const found = await lastLinesOf(output, left - (withEnd ? 1 : 0), view.stream);
    left -= found.lines + (withEnd ? 1 : 0);
    const withStart = left > 0;
    if (hasMarkers && withStart) left--;
    shown.unshift({ output, from: found.from, withStart, withEnd });
  }
  return shown;
}

/** Returns the offset of the lines in one output, and their number. */
async function lastLinesOf(
  output: ReadableOutput,
  wanted: number,
  stream: Stream | null,
): Promise<{ from: number; lines: number }> {
  const size = await output.size();
  if (wanted <= 0 || size === 0) return { from: size, lines: 0 };
  let lines = 0;
  let isEnd = true; // a final newline ends the last line and starts none
  for (let to = size; to > 0; ) {
    const from = Math.max(0, to - READ_BYTES);
    for (const stretch of (await stretchesBetween(output, from, to)).toReversed()) {
      if (stream !== null && stretch.stream !== stream) continue;
      for (let at = stretch.data.length; at > 0; ) {
        at = stretch.data.lastIndexOf(NEWLINE, at - 1);
        const isLast = isEnd && at === stretch.data.length - 1;
        isEnd = false;
        if (at < 0) break;
        if (!isLast && ++lines === wanted) return { from: stretch.from + at + 1, lines };
      }
    }
    to = from;
  }
  return { from: 0, lines: isEnd ? 0 : lines + 1 };
}

async function stretchesBetween(output: ReadableOutput, from: number, to: number): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  for (let at = from; at < to; ) {
    const part = await output.read(at, to - at);
    if (part.data.length === 0 || part.from >= to) break;
    stretches.push(...output.stretchesIn({ from: part.from, data: part.data.subarray(0, to - part.from) }));
    at = part.from + part.data.length;
  }
  return stretches;
}
