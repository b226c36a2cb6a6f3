// Quoting of shell words, and detection of quotes at a position in a command.

export const shellQuote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** True if position `at` is inside quotes. A command substitution starts a new context. */
export function isInsideQuotes(command: string, at: number): boolean {
  const open: string[] = [];
  for (let i = 0; i < at; i++) i += step(open, command, i);
  return open.at(-1) === "'" || open.at(-1) === '"';
}

/** Processes one character. Returns how many following ones it consumes. */
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
