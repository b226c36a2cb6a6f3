// Confirmation of destructive commands: --yes confirms in advance, and is required if there is no terminal.

import { createInterface } from 'node:readline/promises';
import { QueueError } from '../errors/errors.ts';
import type { Context, OptionSpecs } from './command.ts';

export const YES = {
  yes: { kind: 'flag', short: 'y', help: 'skip the confirmation prompt' },
} satisfies OptionSpecs;

/** Asks whether to perform `action`, for example "delete 12 jobs". */
export async function confirm({ options, terminal }: Context<typeof YES>, action: string): Promise<boolean> {
  if (options.has('yes')) return true;
  if (!terminal.canAsk) throw new QueueError('confirmation_needed', { action });
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question(`This will ${action}. Continue? [y/N] `).catch(() => ''); // Ctrl-C, Ctrl-D: no
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
