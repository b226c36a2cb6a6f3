// Glob patterns with * and ?. Backtracks at most to the last *, so that no pattern takes long.

/** `stop` is a character that * and ? do not match. */
export function matchesGlob(pattern: string, text: string, stop = ''): boolean {
  let [p, t] = [0, 0];
  let [star, from] = [-1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') [star, from] = [p++, t];
    else if (pattern[p] === text[t] || (pattern[p] === '?' && text[t] !== stop)) [p, t] = [p + 1, t + 1];
    else if (star >= 0 && text[from] !== stop) [p, t] = [star + 1, ++from];
    else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
