// The value of a secret, wherever it comes in: by the command line or on the page. Pure.

/** In what a job writes, shorter ones are not hidden: they would hide words that mean nothing. */
export const SHORTEST_MASKED_BYTES = 6;

const [LF, CR] = [0x0a, 0x0d];

/** echo and editors add one to a password; a key of several lines needs its own. */
export function withoutLineEnd(data: Uint8Array): Uint8Array {
  const first = data.indexOf(LF);
  if (first < 0 || first < data.length - 1) return data;
  return data.subarray(0, data[first - 1] === CR ? first - 1 : first);
}
