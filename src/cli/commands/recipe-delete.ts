import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'recipe delete',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'delete a recipe; its jobs that have not started are rejected',
  usage: ['NAME'],
  examples: [['queuectl recipe delete resize', 'delete the recipe named resize']],
  completes: 'recipe',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'recipe delete');
    await context.call('removeRecipe', { name });
    return { data: { name, is_removed: true }, text: `recipe ${name} deleted` };
  },
};
