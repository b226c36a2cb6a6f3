// Validates secret values from the command line and the dashboard. Pure.

/** Shorter secrets are not masked in output, because unrelated text would match them. */
export const SHORTEST_MASKED_BYTES = 6;

const [LF, CR] = [0x0a, 0x0d];

/** Removes the newline that echo and editors append to a password. Multi-line keys keep theirs. */
export function withoutLineEnd(data: Uint8Array): Uint8Array {
  const first = data.indexOf(LF);
  if (first < 0 || first < data.length - 1) return data;
  return data.subarray(0, data[first - 1] === CR ? first - 1 : first);
}
