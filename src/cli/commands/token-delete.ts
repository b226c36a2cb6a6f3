import { QueueError } from '../../errors/errors.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'token delete',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'delete an API token',
  usage: ['NAME | ID'],
  examples: [['queuectl token delete ci', 'delete a token; its requests are rejected from now on']],
  completes: 'token',
  run: async (context) => {
    const [nameOrId = ''] = exactArguments(context, ['name'], 'token delete');
    const { tokens } = await context.call('listTokens', {});
    const found = tokens.find(({ id }) => id === nameOrId) ?? tokens.find(({ name }) => name === nameOrId);
    if (!found) throw new QueueError('account_not_found', { noun: 'token', name: nameOrId });
    const { id, name } = found;
    await context.call('removeToken', { id });
    return { data: { id, name, is_removed: true }, text: `token ${name} deleted` };
  },
};
