import type { Command } from '../command.ts';
import { userTable } from '../render/account.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'user list',
  purpose: 'set up',
  summary: 'list users who may sign in to queuectl serve',
  usage: [''],
  examples: [['queuectl user list', 'list names and roles']],
  run: async (context) => {
    exactArguments(context, [], 'user list');
    const queue = await context.queue();
    const { users } = await context.call('listUsers', {});
    if (users.length === 0) context.terminal.hint('no users yet; add one: queuectl user add NAME');
    return {
      data: users,
      text: userTable(users, queue.now(), context.terminal),
    };
  },
};
