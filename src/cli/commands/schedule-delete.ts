import type { Command } from '../command.ts';
import { someArguments } from '../required.ts';
import { schedulesAnswer } from '../schedules/schedule-answer.ts';

export const command: Command = {
  name: 'schedule delete',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'delete schedules; their existing jobs are kept',
  usage: ['NAME...'],
  examples: [
    ['queuectl schedule delete backup', 'delete a schedule; with several names, all or none are deleted'],
    ['queuectl schedule pause backup', 'pause a schedule instead of deleting it'],
  ],
  completes: 'schedule',
  run: async (context) => {
    const names = someArguments(context, 'name', 'schedule delete');
    const queue = await context.queue();
    const deleted = await (await queue.schedules()).remove(names);
    return schedulesAnswer(deleted, 'deleted', queue.now());
  },
};
