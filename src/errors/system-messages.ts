// Messages of the operating system, as people would say them.

/** What the system says of a failed call, without the names it has for errors and calls: those are for programmers. */
const SYSTEM_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^E[A-Z0-9]+: (.+?), [a-z]+( '.*')?$/s, '$1'],
  [/^connect ECONNREFUSED (.+)$/, 'nothing listens at $1'],
  [/^connect ENOENT (.+)$/, 'there is no socket $1'],
  [/^connect E[A-Z]+ (.+)$/, '$1 cannot be reached'],
  [/^getaddrinfo E[A-Z_]+ (.+)$/, "no host is known by the name '$1'"],
];

export function inWords(text: string): string {
  const found = SYSTEM_MESSAGES.find(([pattern]) => pattern.test(text));
  return found ? text.replace(...found) : text;
}
