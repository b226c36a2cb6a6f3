// The password file of libpq: lines of host:port:database:user:password, where * matches anything.

import { readFileSync, statSync } from 'node:fs';
import type { Target } from './target.ts';

const FOR_OTHERS = 0o077;

/** The password of the first matching line, or null. Like libpq, ignores a file that other users can read. */
export function passwordFromFile(target: Target): string | null {
  const there = statSync(target.passFile, { throwIfNoEntry: false });
  if (!there?.isFile() || there.mode & FOR_OTHERS) return null;
  const host = target.host.startsWith('/') ? 'localhost' : target.host;
  const wanted = [host, String(target.port), target.database, target.user];
  for (const line of linesOf(target.passFile)) {
    const [password, ...rest] = fieldsOf(line).slice(4);
    const fits = fieldsOf(line)
      .slice(0, 4)
      .every((field, i) => field === '*' || field === wanted[i]);
    if (fits && password !== undefined) return [password, ...rest].join(':');
  }
  return null;
}

function linesOf(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  } catch {
    return [];
  }
}

/** Split at colons; a backslash escapes the next character. */
const fieldsOf = (line: string): string[] =>
  line.replace(/\\(.)|:/gs, (_, letter: string | undefined) => letter ?? '\0').split('\0');
