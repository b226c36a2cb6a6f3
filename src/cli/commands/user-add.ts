// queuectl user add: lets a person log in to the server.

import { actorOn } from '../../access/actor.ts';
import { checkedName, checkedRole } from '../../access/account-input.ts';
import { ROLES } from '../../access/role.ts';
import { userToJson } from '../../report/accounts.ts';
import type { Command, Context, Result } from '../command.ts';
import { newPassword } from '../serving/password.ts';
import { theseArguments } from '../required.ts';

const USUAL_ROLE = 'viewer';

export const command: Command = {
  name: 'user add',
  purpose: 'set up',
  createsQueue: true,
  summary: 'add a user who may sign in to queuectl serve',
  usage: ['NAME [--role ROLE]'],
  options: {
    role: {
      kind: 'text',
      value: 'ROLE',
      help: `role of the user: ${ROLES.join(', ')} (default: ${USUAL_ROLE})`,
      choices: ROLES,
    },
  },
  examples: [
    ['queuectl user add ann --role operator', 'add an operator and prompt for a password'],
    ['pass show queue/ann | queuectl user add ann', 'read the password from the first line of stdin'],
  ],
  notes: [
    'Roles: viewer reads. enqueuer also creates jobs, and so runs commands. operator also changes jobs, queues, schedules and workers. admin also changes settings, users and tokens, and sees variable values.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = theseArguments(context, ['name'], 'user add');
  const name = checkedName(given);
  const role = checkedRole(context.options.text('role') ?? USUAL_ROLE);
  const accounts = await (await context.queue()).accounts();
  await accounts.expectNoUser(name);
  const password = await newPassword(context, name);
  const user = await accounts.addUser({ name, role, password }, actorOn(context.environment));
  return { data: userToJson(user), text: `user ${name} added with the role ${role}` };
}
