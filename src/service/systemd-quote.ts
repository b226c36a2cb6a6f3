// Quoting for systemd (systemd.syntax, systemd.exec): double quotes with C escapes, and doubled % and $.

/** % starts a specifier in unit files. */
export const percent = (text: string): string => text.replaceAll('%', '%%');

/** Quotes one word of a line that systemd splits into words. */
export function quoted(word: string): string {
  const escaped = percent(word)
    .replace(/["\\]/g, '\\$&')
    .replace(/\p{Cc}/gu, controlCharacter);
  return /^[\w@%+=:,./-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

/** Beyond ASCII, \x would mean a byte, and nothing needs escaping. */
const controlCharacter = (sign: string): string =>
  sign > '\u007f' ? sign : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** systemd rejects program paths with quotes, backslashes or control characters, even if escaped. */
const isUnsafeProgram = (path: string): boolean => /["'\\]|\p{Cc}/u.test(path);

/** Returns an ExecStart= value: a program with an absolute path, and its arguments. */
export function execLine(command: readonly string[]): string {
  const [program = '', ...args] = command;
  if (isUnsafeProgram(program)) return execLine(['/bin/sh', '-c', 'exec "$0" "$@"', ...command]);
  return [quoted(program), ...args.map((arg) => quoted(arg.replaceAll('$', '$$$$')))].join(' ');
}
