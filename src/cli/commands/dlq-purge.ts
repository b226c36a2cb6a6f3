// queuectl dlq purge: empties the dead letter queue.

import type { Command } from '../command.ts';
import { YES } from '../confirm.ts';
import { removeMatching } from '../removal.ts';
import { theseArguments } from '../required.ts';

export const command: Command = {
  name: 'dlq purge',
  purpose: 'repair',
  summary: 'remove all dead jobs with their logs',
  usage: ['[--queue NAME] [--yes]'],
  options: { queue: { kind: 'text', value: 'NAME', means: 'only of this queue' }, ...YES },
  examples: [
    ['queuectl dlq purge', 'asks first'],
    ['queuectl dlq purge --yes', 'in a script'],
  ],
  run: async (context) => {
    theseArguments(context, [], 'dlq purge');
    return removeMatching(context, { states: ['dead'], queue: context.options.text('queue') });
  },
};
