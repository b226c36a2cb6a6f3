import { queueToJson } from '../../report/queues.ts';
import type { Command } from '../command.ts';
import { queueTable } from '../render/queue.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'queue list',
  purpose: 'look',
  summary: 'list named queues with their limits',
  usage: [''],
  examples: [
    ['queuectl queue list', 'list all queues, one per line'],
    ['queuectl queue list --json', 'print all queues as JSON'],
  ],
  run: async (context) => {
    exactArguments(context, [], 'queue list');
    const views = await (await (await context.queue()).reports()).queues();
    if (views.some(({ isAllPaused }) => isAllPaused))
      context.terminal.hint('all queues are paused; resume with: queuectl queue resume');
    return {
      data: views.map(queueToJson),
      text: queueTable(views, context.terminal),
    };
  },
};
