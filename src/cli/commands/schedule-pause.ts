import type { Command } from '../command.ts';
import { someArguments } from '../required.ts';
import { schedulesAnswer } from '../schedules/schedule-answer.ts';

export const command: Command = {
  name: 'schedule pause',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'pause schedules',
  usage: ['NAME...'],
  examples: [['queuectl schedule pause backup', 'pause a schedule until you resume it']],
  notes: ['The pause is stored in the queue. Existing jobs are not affected.'],
  completes: 'schedule',
  run: async (context) => {
    const names = someArguments(context, 'name', 'schedule pause');
    const queue = await context.queue();
    const changed = await (await queue.schedules()).pause(names);
    return schedulesAnswer(changed, 'paused', queue.now());
  },
};
