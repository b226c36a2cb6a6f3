// Returns the program name of a command. Arguments and variables may be secrets, so they are never included. Pure.

import type { Command } from '../job/job.ts';

/** Returns null if the command does not begin with a plain name. */
export function commandName(command: Command): string | null {
  const word = typeof command === 'string' ? firstWord(command) : (command[0] ?? '');
  const name = word?.split('/').at(-1) ?? '';
  return name === '' ? null : name;
}

/** Skips leading variable assignments, but only if their ends are unambiguous. */
const firstWord = (command: string): string | undefined =>
  /^\s*(?:\w+=[\w./:@%+,-]*\s+)*([\w./+-]+)(?=[\s;&|<>)]|$)/.exec(command)?.[1];
