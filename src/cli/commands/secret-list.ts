import type { Command } from '../command.ts';
import { fromNow } from '../render/kit/human.ts';
import { tableOf } from '../render/kit/table.ts';
import { oneLine } from '../render/kit/text.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret list',
  purpose: 'set up',
  summary: 'list the names of secrets',
  usage: [''],
  examples: [['queuectl secret list', 'show who set each secret, when, and whether this host can decrypt it']],
  run: async (context) => {
    exactArguments(context, [], 'secret list');
    const queue = await context.queue();
    const { secrets } = await context.call('listSecrets', {});
    if (secrets.length === 0) context.terminal.hint('no secrets yet; set one: queuectl secret set NAME');
    const now = queue.now();
    const unreadable = context.terminal.style.bad('missing or wrong key');
    const text = tableOf(
      secrets,
      [
        { title: 'name', cell: ({ name }) => name },
        { title: 'set', cell: ({ created_at }) => fromNow(Date.parse(created_at), now) },
        { title: 'by', gives: true, cell: ({ created_by }) => oneLine(created_by) },
        { title: 'on this host', spare: 1, cell: ({ is_readable }) => (is_readable ? 'readable' : unreadable) },
      ],
      context.terminal,
    );
    return { data: secrets, text };
  },
};
