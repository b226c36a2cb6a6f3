// queuectl recipe list: lists recipes with their commands.

import type { Command, Context, Result } from '../command.ts';
import { commandLine } from '../render/kit/command-line.ts';
import { fromNow } from '../render/kit/human.ts';
import { table } from '../render/kit/table.ts';
import { oneLine } from '../render/kit/text.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'recipe list',
  purpose: 'set up',
  summary: 'list recipes',
  usage: [''],
  examples: [['queuectl recipe list', 'list all recipes with their commands']],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'recipe list');
  const queue = await context.queue();
  const { recipes } = await context.call('listRecipes', {});
  if (recipes.length === 0)
    context.terminal.hint('no recipes yet; add one: queuectl recipe add NAME -- PROGRAM ARG...');
  const { width, style } = context.terminal;
  const columns = [
    { title: 'name' },
    { title: 'command', gives: true },
    { title: 'added', spare: 1 },
    { title: 'by', gives: true, spare: 2 },
  ];
  const rows = recipes.map(({ name, command, created_at, created_by }) => [
    name,
    commandLine(command),
    fromNow(Date.parse(created_at), queue.now()),
    oneLine(created_by),
  ]);
  return {
    data: recipes,
    text: recipes.length === 0 ? '' : table(columns, rows, width, style),
  };
}
