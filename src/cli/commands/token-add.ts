import { checkedRole } from '../../access/account-input.ts';
import { ROLES } from '../../access/role.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { exactArguments } from '../required.ts';

const USUAL_ROLE = 'viewer';

const OPTIONS = {
  role: {
    kind: 'text',
    value: 'ROLE',
    help: `role of the token: ${ROLES.join(', ')} (default: ${USUAL_ROLE})`,
    choices: ROLES,
  },
  expires: { kind: 'text', value: 'DURATION', help: 'lifetime: 12h, 30d (default: never expires)' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'token add',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'create an API token for queuectl serve; it is printed once',
  usage: ['NAME [--role ROLE] [--expires DURATION]'],
  options: OPTIONS,
  examples: [
    ['queuectl token add ci --role enqueuer --expires 90d', 'print a new token on stdout'],
    ['curl -H "Authorization: Bearer $TOKEN" localhost:7777/api/v1/stats', 'call the HTTP API with a token'],
  ],
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'token add');
    const role = checkedRole(context.options.text('role') ?? USUAL_ROLE);
    const wanted = { name, role, expires: context.options.text('expires') };
    const token = await context.call('addToken', {}, wanted);
    context.terminal.hint(`token ${name} created with the role ${role}; it is not shown again:`);
    return { data: token, text: token.secret };
  },
};
