// The command line up to the cursor, read as its shell would: words without their quotes.

export interface Line {
  /** The words behind the program's name that are complete. */
  readonly before: readonly string[];
  /** The word that is being typed; '' behind a space. */
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
