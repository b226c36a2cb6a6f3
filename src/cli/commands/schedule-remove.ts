// queuectl schedule remove: removes schedules; the jobs they have made stay.

import { viewOf } from '../../report/schedule.ts';
import type { Command, Context, Result } from '../command.ts';
import { someArguments } from '../required.ts';
import { schedulesAnswer } from '../schedules/schedule-answer.ts';

export const command: Command = {
  name: 'schedule remove',
  purpose: 'run',
  recorded: { about: 'arguments' },
  summary: 'remove schedules; the jobs they have made stay',
  usage: ['NAME...'],
  examples: [
    ['queuectl schedule remove backup', 'all of them, or none if one of them is not there'],
    ['queuectl schedule pause backup', 'only for a while'],
  ],
  completes: 'schedule',
  run,
};

async function run(context: Context): Promise<Result> {
  const names = someArguments(context, 'name', 'schedule remove');
  const queue = await context.queue();
  const removed = await (await queue.schedules()).remove(names);
  const views = await Promise.all(removed.map((schedule) => viewOf(schedule, queue.now(), 0)));
  return schedulesAnswer(views, 'removed', queue.now());
}
