import type { Command } from '../command.ts';
import { tokenTable } from '../render/account.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'token list',
  purpose: 'set up',
  summary: 'list API tokens without their secret values',
  usage: [''],
  examples: [['queuectl token list', 'show the role, expiry and last use of each token']],
  run: async (context) => {
    exactArguments(context, [], 'token list');
    const queue = await context.queue();
    const { tokens } = await context.call('listTokens', {});
    if (tokens.length === 0) context.terminal.hint('no tokens yet; create one: queuectl token add NAME');
    return {
      data: tokens,
      text: tokenTable(tokens, queue.now(), context.terminal),
    };
  },
};
