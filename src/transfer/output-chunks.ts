// Splits output into chunks of one size, so that the same output always produces the same lines.

import type { OutputPart } from '../job/output/output.ts';
import { OUTPUT_LINE_BYTES } from './format.ts';

export async function* chunksOf(parts: AsyncIterable<OutputPart>): AsyncGenerator<OutputPart> {
  let from = 0;
  let kept: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    const isBehindGap = part.from !== from + kept.length;
    if (isBehindGap && kept.length > 0) yield { from, data: kept };
    if (isBehindGap) [from, kept] = [part.from, Buffer.alloc(0)];
    kept = Buffer.concat([kept, part.data]);
    for (; kept.length >= OUTPUT_LINE_BYTES; from += OUTPUT_LINE_BYTES) {
      yield { from, data: kept.subarray(0, OUTPUT_LINE_BYTES) };
      kept = kept.subarray(OUTPUT_LINE_BYTES);
    }
  }
  if (kept.length > 0) yield { from, data: kept };
}
