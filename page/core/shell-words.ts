// The words of a command as a shell would take them apart, for what is run without one: spaces part them, quotes and \ keep
// them together, and nothing is replaced.

const PIECE = /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|\\([\s\S])|([^\s'"\\]+)/gy;

/** null: a quote is open, or a \ stands last. */
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
