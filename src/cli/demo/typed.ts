// Formats a command line as a user would type it: quoted, and broken into two lines if it is long.

import { shellQuote } from '../render/kit/command-line.ts';

export const USUAL_WIDTH = 80;
/** The width of the indent and the prompt. */
const MARGIN = 5;

export function commandLine(args: readonly string[]): string {
  const words = ['queuectl', ...args.map(shellQuote)];
  const line = words.join(' ');
  const isLong = line.split('\n').some((part) => part.length > USUAL_WIDTH - MARGIN);
  return isLong ? `${words.slice(0, -1).join(' ')} \\\n  ${words.at(-1)}` : line;
}
