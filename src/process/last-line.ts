// The last line of a job's output, to explain its failure with: only text, as an error message is no place for binary.

const LONGEST = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
const CONTROLS = /\p{Cc}/u;
const NEWLINE = 10;

/** How much of the end of the output it takes. */
export const LAST_LINE_BYTES = 4096;

/** null: there is none, or it is no text. */
export function lastLineOf(end: Buffer): string | null {
  const text = textOf(lastLineIn(end));
  const plain = text
    ?.replace(COLOURS, '')
    .replace(/[\t\r]+/g, ' ')
    .trim();
  return !plain || CONTROLS.test(plain) ? null : plain.slice(0, LONGEST);
}

/** The last line that has more in it than space. */
function lastLineIn(end: Buffer): Buffer {
  let to = end.length;
  while (to > 0 && isSpace(end[to - 1])) to--;
  return end.subarray(to === 0 ? 0 : end.lastIndexOf(NEWLINE, to - 1) + 1, to);
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

function textOf(line: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return null;
  }
}
