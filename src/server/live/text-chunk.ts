// Bytes of an output as text, without tearing characters apart. Whatever is not UTF-8 becomes a replacement character.

const NEWLINE = 10;
const LONGEST_CHARACTER = 4;

const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000;

/** How many bytes a character has that begins like this; 1 for what begins none. */
const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1);

/** How many of these bytes can be shown now: a character whose end has not come yet waits for it. */
export function completeLength(data: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= data.length; back++) {
    const byte = data[data.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? data.length - back : data.length;
  }
  return data.length;
}

/** Where to begin in the middle of an output: at a line if there is one, else at a character. */
export function beginningOf(data: Uint8Array): number {
  const newline = data.indexOf(NEWLINE);
  if (newline >= 0 && newline < data.length - 1) return newline + 1;
  const whole = data.findIndex((byte) => !isContinuation(byte));
  return Math.max(0, Math.min(whole, LONGEST_CHARACTER - 1));
}
