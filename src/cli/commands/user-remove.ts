// queuectl user remove: that person can no longer log in, and is logged out at once.

import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'user remove',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'let a person in no longer; sessions end at once',
  usage: ['NAME'],
  examples: [['queuectl user remove ann', 'wherever ann is logged in, that ends now']],
  completes: 'user',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'user remove');
  await context.call('removeUser', { name });
  return { data: { name, is_removed: true }, text: `user ${name} removed` };
}
