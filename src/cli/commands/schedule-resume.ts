import type { Command } from '../command.ts';
import { someArguments } from '../required.ts';
import { schedulesAnswer } from '../schedules/schedule-answer.ts';

export const command: Command = {
  name: 'schedule resume',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'resume paused schedules',
  usage: ['NAME...'],
  examples: [['queuectl schedule resume backup', 'resume a schedule from now on']],
  notes: ['Runs missed during the pause are not caught up; schedule show lists them.'],
  completes: 'schedule',
  run: async (context) => {
    const names = someArguments(context, 'name', 'schedule resume');
    const queue = await context.queue();
    const changed = await (await queue.schedules()).resume(names);
    return schedulesAnswer(changed, 'resumed', queue.now());
  },
};
