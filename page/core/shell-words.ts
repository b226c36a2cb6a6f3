// Splits a command into words like a shell, for commands that run without one. Spaces separate words, quotes and \
// protect them, and nothing is expanded.

const PIECE = /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|\\([\s\S])|([^\s'"\\]+)/gy;

/** Returns null if a quote is not closed or the text ends with \. */
export function shellWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const found = PIECE.exec(text);
    if (found === null) return null;
    const [whole, single, double, escaped, plain] = found;
    const piece = single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? '') + piece;
    else if (/^\s/.test(whole) && word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}
