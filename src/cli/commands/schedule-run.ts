import type { Command } from '../command.ts';
import { enqueuedText, existsText } from '../enqueue/enqueued.ts';
import { jobLines } from '../jobs/job-lines.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'schedule run',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'enqueue the job of a schedule now',
  usage: ['NAME'],
  examples: [['queuectl schedule run backup', 'run a schedule once, in addition to its regular runs']],
  notes: ['The job is enqueued even if the schedule is paused or an earlier run is unfinished.'],
  completes: 'schedule',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'schedule run');
    const schedules = await (await context.queue()).schedules();
    const { job, isNew } = await schedules.run(name);
    return jobLines([job], isNew ? enqueuedText : existsText);
  },
};
