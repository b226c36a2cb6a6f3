// queuectl user add: lets a person log in to the server.

import { QueueError } from '../../errors/errors.ts';
import { checkedName, checkedRole } from '../../access/account-input.ts';
import { ROLES } from '../../access/role.ts';
import type { Command, Context, Result } from '../command.ts';
import { newPassword } from '../serving/password.ts';
import { exactArguments } from '../required.ts';

const USUAL_ROLE = 'viewer';

export const command: Command = {
  name: 'user add',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'let a person log in to queuectl serve',
  usage: ['NAME [--role ROLE]'],
  options: {
    role: {
      kind: 'text',
      value: 'ROLE',
      means: `${ROLES.join(', ')} (default: ${USUAL_ROLE})`,
      choices: ROLES,
    },
  },
  examples: [
    ['queuectl user add ann --role operator', 'asks for a password'],
    ['pass show queue/ann | queuectl user add ann', 'the first line of stdin is the password'],
  ],
  notes: [
    'viewer: looks. enqueuer: also creates jobs, so runs commands. operator: also changes jobs, queues, schedules and workers. admin: also settings, users and tokens, and sees the values of variables.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['name'], 'user add');
  const name = checkedName(given);
  const role = checkedRole(context.options.text('role') ?? USUAL_ROLE);
  const { users } = await context.call('listUsers', {});
  if (users.some((user) => user.name === name))
    throw new QueueError('account_exists', { noun: 'user', name });
  const password = await newPassword(context, name);
  const user = await context.call('addUser', {}, { name, role, password });
  return { data: user, text: `user ${name} may log in as ${role}` };
}
