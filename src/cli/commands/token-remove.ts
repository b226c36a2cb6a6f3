// queuectl token remove: a token is worth nothing from now on.

import { QueueError } from '../../errors/errors.ts';
import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'token remove',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'let a program in no longer',
  usage: ['NAME | ID'],
  examples: [['queuectl token remove ci', 'it is refused from now on, and its sessions end']],
  completes: 'token',
  run,
};

async function run(context: Context): Promise<Result> {
  const [nameOrId = ''] = exactArguments(context, ['name'], 'token remove');
  const { tokens } = await context.call('listTokens', {});
  const found = tokens.find(({ id }) => id === nameOrId) ?? tokens.find(({ name }) => name === nameOrId);
  if (!found) throw new QueueError('account_not_found', { noun: 'token', name: nameOrId });
  const { id, name } = found;
  await context.call('removeToken', { id });
  return { data: { id, name, is_removed: true }, text: `token ${name} removed` };
}
