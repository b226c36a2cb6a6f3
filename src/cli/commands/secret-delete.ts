import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret delete',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'delete a secret; jobs that need it fail to start',
  usage: ['NAME'],
  examples: [['queuectl secret delete DB_PASSWORD', 'delete a secret; running jobs keep it until they finish']],
  completes: 'secret',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'secret delete');
    await context.call('removeSecret', { name });
    return { data: { name, is_removed: true }, text: `secret ${name} deleted` };
  },
};
