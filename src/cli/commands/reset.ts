import { QueueError } from '../../errors/errors.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  ...YES,
  force: { kind: 'flag', help: 'delete jobs even if workers are running; the workers stop their jobs' },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'reset',
  purpose: 'repair',
  localOnly:
    'run queuectl reset next to the database, with --db; over HTTP, delete selected jobs with queuectl prune or queuectl delete',
  recorded: { about: 'arguments' },
  summary: 'delete all jobs with their history and logs',
  usage: ['[--yes] [--force]'],
  options: OPTIONS,
  examples: [['queuectl reset --yes', 'delete all jobs; settings and schedules are kept']],
  run: async (context) => {
    exactArguments(context, [], 'reset');
    const queue = await context.localQueue();
    const alive = (await queue.workers()).filter(({ state }) => state !== 'lost');
    if (alive.length > 0 && !context.options.has('force')) {
      const count = many(alive.length, 'worker');
      throw new QueueError('workers_running', { count, action: 'reset', otherwise: ', or use --force' });
    }
    const { queues } = await queue.overview();
    const jobs = queues.flatMap(({ counts }) => Object.values(counts)).reduce((sum, n) => sum + n, 0);
    if (!(await confirm(context, `delete all ${many(jobs, 'job')} with history and logs`))) {
      return { data: { removed: 0 }, text: 'nothing was deleted', exitCode: 1 };
    }
    const removed = await queue.reset();
    return { data: { removed }, text: `${many(removed, 'job')} deleted` };
  },
};
