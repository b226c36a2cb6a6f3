// queuectl schedule delete: deletes schedules. Their existing jobs are kept.

import { viewOf } from '../../report/schedule.ts';
import type { Command, Context, Result } from '../command.ts';
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
  run,
};

async function run(context: Context): Promise<Result> {
  const names = someArguments(context, 'name', 'schedule delete');
  const queue = await context.queue();
  const removed = await (await queue.schedules()).remove(names);
  const views = await Promise.all(removed.map((schedule) => viewOf(schedule, queue.now(), 0)));
  return schedulesAnswer(views, 'removed', queue.now());
}
