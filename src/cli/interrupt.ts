// Ctrl-C and TERM, for commands that stop what they are doing.

import type { Context } from './command.ts';

/** The exit code after an interrupt. */
export const INTERRUPTED = 130;

export function interruptOf({ onInterrupt }: Context, also?: readonly NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController();
  onInterrupt(() => controller.abort(), also);
  return controller.signal;
}
