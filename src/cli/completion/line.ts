// Splits the command line before the cursor into words without quotes, as a shell does.

export interface Line {
  /** The complete words after the program name. */
  readonly before: readonly string[];
  /** The word before the cursor; '' after a space. */
  readonly current: string;
}

const WORD = /(?:'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$|\\$)|\\.|\\$|[^\s'"\\])+/gs;
const QUOTED = /'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?|\\(.?)/gs;
const ASSIGNMENT = /^\w+=/;

export function readLine(text: string, home: string): Line {
  const raw = [...text.matchAll(WORD)];
  const last = raw.at(-1);
  const isTyping = last !== undefined && last.index + last[0].length === text.length;
  const words = raw.map(([word]) => unquoted(word, home));
  const current = isTyping ? (words.pop() ?? '') : '';
  const program = words.findIndex((word) => !ASSIGNMENT.test(word));
  return { before: program < 0 ? [] : words.slice(program + 1), current };
}

function unquoted(word: string, home: string): string {
  return word
    .replace(/^~(?=\/)/, () => home)
    .replace(QUOTED, (_, single?: string, double?: string, escaped?: string) => {
      return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
    });
}
