// Messages of the operating system in plain words.

/** Removes the names of errors and system calls, which are for programmers. */
const SYSTEM_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^E[A-Z0-9]+: (.+?), [a-z]+( '.*')?$/s, '$1'],
  [/^connect ECONNREFUSED (.+)$/, 'connection refused at $1'],
  [/^connect ENOENT (.+)$/, 'socket $1 not found'],
  [/^connect E[A-Z]+ (.+)$/, 'cannot reach $1'],
  [/^getaddrinfo E[A-Z_]+ (.+)$/, "host '$1' not found"],
];

export function inWords(text: string): string {
  const found = SYSTEM_MESSAGES.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
}
