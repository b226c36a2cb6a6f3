// queuectl token add: a secret by which a program may use the server. It is shown this once.

import { actorOn } from '../../access/actor.ts';
import { ROLES } from '../../access/role.ts';
import { tokenToJson } from '../../report/accounts.ts';
import type { Command, Context, Result } from '../command.ts';
import { theseArguments } from '../required.ts';

const USUAL_ROLE = 'viewer';

export const command: Command = {
  name: 'token add',
  purpose: 'set up',
  createsQueue: true,
  summary: 'create an API token for queuectl serve; it is printed once',
  usage: ['NAME [--role ROLE] [--expires DURATION]'],
  options: {
    role: {
      kind: 'text',
      value: 'ROLE',
      help: `role of the token: ${ROLES.join(', ')} (default: ${USUAL_ROLE})`,
      choices: ROLES,
    },
    expires: { kind: 'text', value: 'DURATION', help: 'lifetime: 12h, 30d (default: never expires)' },
  },
  examples: [
    ['queuectl token add ci --role enqueuer --expires 90d', 'print a new token on stdout'],
    ['curl -H "Authorization: Bearer $TOKEN" localhost:7777/api/v1/stats', 'call the HTTP API with a token'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = theseArguments(context, ['name'], 'token add');
  const role = context.options.text('role') ?? USUAL_ROLE;
  const wanted = { name, role, expires: context.options.text('expires') };
  const accounts = await (await context.queue()).accounts();
  const { token, secret } = await accounts.addToken(wanted, actorOn(context.environment));
  context.terminal.hint(`token ${name} created with the role ${role}; it is not shown again:`);
  return { data: { ...tokenToJson(token), secret }, text: secret };
}
