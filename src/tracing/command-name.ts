// The name of the program that a job runs. Never more of its command line: arguments and variables may be secrets. Pure.

import type { Command } from '../job/job.ts';

/** null: the command does not begin with a plain name. */
export function commandName(command: Command): string | null {
  const word = typeof command === 'string' ? firstWord(command) : (command[0] ?? '');
  const name = word?.split('/').at(-1) ?? '';
  return name === '' ? null : name;
}

/** Behind variables that are set for it; their values are passed over only where it is plain where they end. */
const firstWord = (command: string): string | undefined =>
  /^\s*(?:\w+=[\w./:@%+,-]*\s+)*([\w./+-]+)(?=[\s;&|<>)]|$)/.exec(command)?.[1];
