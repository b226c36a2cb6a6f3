import type { Command } from '../command.ts';
import { commandLine } from '../render/kit/command-line.ts';
import { fromNow } from '../render/kit/human.ts';
import { tableOf } from '../render/kit/table.ts';
import { oneLine } from '../render/kit/text.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'recipe list',
  purpose: 'set up',
  summary: 'list recipes',
  usage: [''],
  examples: [['queuectl recipe list', 'list all recipes with their commands']],
  run: async (context) => {
    exactArguments(context, [], 'recipe list');
    const queue = await context.queue();
    const { recipes } = await context.call('listRecipes', {});
    if (recipes.length === 0)
      context.terminal.hint('no recipes yet; add one: queuectl recipe add NAME -- PROGRAM ARG...');
    const now = queue.now();
    const text = tableOf(
      recipes,
      [
        { title: 'name', cell: ({ name }) => name },
        { title: 'command', gives: true, cell: ({ command }) => commandLine(command) },
        { title: 'added', spare: 1, cell: ({ created_at }) => fromNow(Date.parse(created_at), now) },
        { title: 'by', gives: true, spare: 2, cell: ({ created_by }) => oneLine(created_by) },
      ],
      context.terminal,
    );
    return { data: recipes, text };
  },
};
