// queuectl reset: empties the queue; settings and schedules stay.

import { QueueError } from '../../errors/errors.ts';
import type { Command, Context, Result } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'reset',
  purpose: 'repair',
  localOnly:
    'it leaves nothing, and one wrong address would be enough, so it is done where the queue is; from here queuectl prune and queuectl delete remove what you name',
  recorded: { about: 'arguments' },
  summary: 'empty the queue: every job, its history and its logs',
  usage: ['[--yes] [--force]'],
  options: { ...YES, force: { kind: 'flag', means: 'even while workers run: they end what they run' } },
  examples: [['queuectl reset --yes', 'start over; settings and schedules stay']],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'reset');
  const queue = await context.localQueue();
  const alive = (await queue.workers()).filter(({ state }) => state !== 'lost');
  if (alive.length > 0 && !context.options.has('force')) {
    const count = many(alive.length, 'worker');
    throw new QueueError('workers_running', { count, action: 'a reset', otherwise: ', or add --force' });
  }
  const { queues } = await queue.overview();
  const jobs = queues.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
  if (!(await confirm(context, `remove all ${many(jobs, 'job')} with history and logs`))) {
    return { data: { removed: 0 }, text: 'nothing was removed', exitCode: 1 };
  }
  const removed = await queue.reset();
  return { data: { removed }, text: `${many(removed, 'job')} removed` };
}
