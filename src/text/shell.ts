// Words of a shell command: how one is quoted, and whether a place in a command stands inside quotes.

/** A word as it would be typed in a shell. */
export const shellQuote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Whether position `at` of a shell command is inside quotes. A command substitution starts over. */
export function isInsideQuotes(command: string, at: number): boolean {
  const open: string[] = [];
  for (let i = 0; i < at; i++) i += step(open, command, i);
  return open.at(-1) === "'" || open.at(-1) === '"';
}

/** Takes one character into account. Returns how many of those after it are used up as well. */
function step(open: string[], command: string, i: number): number {
  const [inside, char] = [open.at(-1), command[i]];
  if (inside === "'") {
    if (char === "'") open.pop();
    return 0;
  }
  if (char === '\\') return 1;
  if (char === inside) open.pop();
  else if (char === '"' || (char === "'" && inside !== '"')) open.push(char);
  else if (char === '$' && command[i + 1] === '(') {
    open.push(')');
    return 1;
  }
  return 0;
}
