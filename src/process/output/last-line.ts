// The last line of a job's output, to explain its failure with: only text, as an error message is no place for binary.

const LONGEST = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
const CONTROLS = /\p{Cc}/u;
const NEWLINE = 10;
/** A line that reports progress, which explains no failure. */
const PROGRESS = Buffer.from('::progress ');

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

/** The last line that is not blank and does not report progress. */
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

/** Whether lines after this one were passed over, and its own beginning is no longer known: it may have reported progress. */
const isCut = (end: Buffer, from: number, to: number): boolean =>
  from === 0 && end.length >= LAST_LINE_BYTES && end.includes(PROGRESS, to);

const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

function textOf(line: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return null;
  }
}
