// How systemd wants things written (systemd.syntax, systemd.exec): words in double quotes with C escapes, % and $ doubled.

/** In a unit % begins the name of something that systemd fills in. */
export const percent = (text: string): string => text.replaceAll('%', '%%');

/** A word of a line that systemd splits into words. */
export function quoted(word: string): string {
  const escaped = percent(word)
    .replace(/["\\]/g, '\\$&')
    .replace(/\p{Cc}/gu, controlCharacter);
  return /^[\w@%+=:,./-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

/** Beyond ASCII \x would mean a byte and no character, and nothing has to be escaped. */
const controlCharacter = (sign: string): string =>
  sign > '\u007f' ? sign : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** systemd starts no program whose path has quotes, backslashes or control characters in it, however they are written. */
const isUnsafeProgram = (path: string): boolean => /["'\\]|\p{Cc}/u.test(path);

/** A line for ExecStart=: a program by its absolute path, and its arguments. */
export function execLine(command: readonly string[]): string {
  const [program = '', ...args] = command;
  if (isUnsafeProgram(program)) return execLine(['/bin/sh', '-c', 'exec "$0" "$@"', ...command]);
  return [quoted(program), ...args.map((arg) => quoted(arg.replaceAll('$', '$$$$')))].join(' ');
}
