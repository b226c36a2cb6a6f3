// Commands as users type them.

import type { Command } from '../../../job/job.ts';
import { shellQuote } from '../../../text/shell.ts';
import { oneLine } from './text.ts';

export { shellQuote } from '../../../text/shell.ts';

/** A command on one line; an argument list quoted so that it could be typed. */
export function commandLine(command: Command): string {
  return oneLine(typeof command === 'string' ? command : command.map(shellQuote).join(' '));
}
