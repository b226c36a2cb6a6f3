// Bytes however they come, as parts of one size; the last one may be smaller.

export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let part = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + size - filled);
      part.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < size) continue;
      yield part;
      [part, filled] = [new Uint8Array(size), 0];
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
