// queuectl secret list: lists the names of secrets, never their values.

import type { Command, Context, Result } from '../command.ts';
import { fromNow } from '../render/kit/human.ts';
import { table } from '../render/kit/table.ts';
import { oneLine } from '../render/kit/text.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret list',
  purpose: 'set up',
  summary: 'list the names of secrets',
  usage: [''],
  examples: [
    ['queuectl secret list', 'show who set each secret, when, and whether this host can decrypt it'],
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'secret list');
  const queue = await context.queue();
  const { secrets } = await context.call('listSecrets', {});
  if (secrets.length === 0) context.terminal.hint('no secrets yet; set one: queuectl secret set NAME');
  const { width, style } = context.terminal;
  const columns = [
    { title: 'name' },
    { title: 'set' },
    { title: 'by', gives: true },
    { title: 'on this host', spare: 1 },
  ];
  const rows = secrets.map(({ name, created_at, created_by, is_readable }) => [
    name,
    fromNow(Date.parse(created_at), queue.now()),
    oneLine(created_by),
    is_readable ? 'readable' : style.bad('missing or wrong key'),
  ]);
  return {
    data: secrets,
    text: secrets.length === 0 ? '' : table(columns, rows, width, style),
  };
}
