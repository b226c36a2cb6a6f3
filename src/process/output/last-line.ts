// Finds the last line of a job's output for its error message. Binary output is ignored.

const LONGEST = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
const CONTROLS = /\p{Cc}/u;
const NEWLINE = 10;
/** Progress lines do not explain a failure. */
const PROGRESS = Buffer.from('::progress ');

/** Number of bytes from the end of the output to search. */
export const LAST_LINE_BYTES = 4096;

/** Returns null if there is no line, or if it is not text. */
export function lastLineOf(end: Buffer): string | null {
  const text = textOf(lastLineIn(end));
  const plain = text
    ?.replace(COLOURS, '')
    .replace(/[\t\r]+/g, ' ')
    .trim();
  return !plain || CONTROLS.test(plain) ? null : plain.slice(0, LONGEST);
}

/** Returns the last line that is neither blank nor a progress line. */
function lastLineIn(end: Buffer): Buffer {
  for (let to = end.length; ; ) {
    while (to > 0 && isSpace(end[to - 1])) to--;
    const from = to === 0 ? 0 : end.lastIndexOf(NEWLINE, to - 1) + 1;
    const line = end.subarray(from, to);
    if (!line.subarray(0, PROGRESS.length).equals(PROGRESS)) return isCut(end, from, to) ? NOTHING : line;
    to = from;
  }
}

const NOTHING = Buffer.alloc(0);

/** True if later lines were skipped and the start of this one is unknown: it may be a progress line. */
const isCut = (end: Buffer, from: number, to: number): boolean =>
  from === 0 && end.length >= LAST_LINE_BYTES && end.includes(PROGRESS, to);

const isSpace = (byte: number | undefined): boolean => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

function textOf(line: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return null;
  }
}
