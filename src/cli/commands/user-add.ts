import { QueueError } from '../../errors/errors.ts';
import { checkedName, checkedRole } from '../../access/account-input.ts';
import { ROLES } from '../../access/role.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { newPassword } from '../serving/password.ts';
import { exactArguments } from '../required.ts';

const USUAL_ROLE = 'viewer';

const OPTIONS = {
  role: {
    kind: 'text',
    value: 'ROLE',
    help: `role of the user: ${ROLES.join(', ')} (default: ${USUAL_ROLE})`,
    choices: ROLES,
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'user add',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'add a user who may sign in to queuectl serve',
  usage: ['NAME [--role ROLE]'],
  options: OPTIONS,
  examples: [
    ['queuectl user add ann --role operator', 'add an operator and prompt for a password'],
    ['pass show queue/ann | queuectl user add ann', 'read the password from the first line of stdin'],
  ],
  notes: [
    'Roles: viewer reads. enqueuer also creates jobs, and so runs commands. operator also changes jobs, queues, schedules and workers. admin also changes settings, users and tokens, and sees variable values.',
  ],
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['name'], 'user add');
    const name = checkedName(given);
    const role = checkedRole(context.options.text('role') ?? USUAL_ROLE);
    const { users } = await context.call('listUsers', {});
    if (users.some((user) => user.name === name)) throw new QueueError('account_exists', { noun: 'user', name });
    const password = await newPassword(context, name);
    const user = await context.call('addUser', {}, { name, role, password });
    return { data: user, text: `user ${name} added with the role ${role}` };
  },
};
