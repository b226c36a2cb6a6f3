// queuectl token delete: a token is worth nothing from now on.

import type { Command, Context, Result } from '../command.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'token delete',
  purpose: 'set up',
  summary: 'delete an API token',
  usage: ['NAME | ID'],
  examples: [['queuectl token delete ci', 'delete a token; its requests are rejected from now on']],
  completes: 'token',
  run,
};

async function run(context: Context): Promise<Result> {
  const [nameOrId = ''] = theseArguments(context, ['name'], 'token delete');
  const { id, name } = await (await (await context.queue()).accounts()).removeToken(nameOrId);
  return { data: { id, name, is_removed: true }, text: `token ${name} deleted` };
}
