// queuectl recipe remove: a command that may not be enqueued by this name any more.

import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'recipe remove',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'remove a recipe; its jobs that have not started are refused',
  usage: ['NAME'],
  examples: [['queuectl recipe remove resize', 'what was made from it and has not started does not start']],
  completes: 'recipe',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'recipe remove');
  await context.call('removeRecipe', { name });
  return { data: { name, is_removed: true }, text: `recipe ${name} removed` };
}
