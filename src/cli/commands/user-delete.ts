import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'user delete',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'delete a user and end their sessions',
  usage: ['NAME'],
  examples: [['queuectl user delete ann', 'delete the user ann and sign ann out everywhere']],
  completes: 'user',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'user delete');
    await context.call('removeUser', { name });
    return { data: { name, is_removed: true }, text: `user ${name} deleted` };
  },
};
