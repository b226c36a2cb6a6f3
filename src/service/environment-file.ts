// Variables that only their owner may read, in a file of the form that systemd and every POSIX shell understand alike.

/** Nothing in double quotes but these four means anything but itself. */
const quoted = (value: string): string => `"${value.replace(/["\\`$]/g, '\\$&')}"`;

export const environmentText = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
