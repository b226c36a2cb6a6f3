// Writes variables to a file that only its owner can read, in a syntax shared by systemd and POSIX shells.

/** Only these four characters are special within double quotes. */
const quoted = (value: string): string => `"${value.replace(/["\\`$]/g, '\\$&')}"`;

export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
