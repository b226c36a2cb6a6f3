// Commands as people would type them.

import type { Command } from '../../job/job.ts';
import { oneLine } from './text.ts';

/** A command on one line; an argument list quoted so that it could be typed. */
export function commandLine(command: Command): string {
  return oneLine(typeof command === 'string' ? command : command.map(shellQuote).join(' '));
}

/** A word as it would be typed in a shell. */
export const shellQuote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
