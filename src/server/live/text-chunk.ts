// Splits output at character boundaries. Invalid UTF-8 becomes replacement characters.

const NEWLINE = 10;
const LONGEST_CHARACTER = 4;

const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000;

/** Length of the character with this first byte; 1 if it is no first byte. */
const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);

/** Number of bytes without an incomplete character at the end. */
export function completeLength(data: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= data.length; back++) {
    const byte = data[data.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? data.length - back : data.length;
  }
  return data.length;
}

/** Offset of the first line that starts in the data, or else of the first complete character. */
export function beginningOf(data: Uint8Array): number {
  const newline = data.indexOf(NEWLINE);
  if (newline >= 0 && newline < data.length - 1) return newline + 1;
  const whole = data.findIndex((byte) => !isContinuation(byte));
  return Math.max(0, Math.min(whole, LONGEST_CHARACTER - 1));
}
