// queuectl dlq retry: out of the dead letter queue, attempts from 0, now.

import { QueueError } from '../../errors.ts';
import type { Command, Context, Result } from '../command.ts';
import { jobLines } from '../job-lines.ts';
import { many } from '../render/human.ts';
import { someArguments } from '../required.ts';

export const command: Command = {
  name: 'dlq retry',
  purpose: 'repair',
  summary: 'run dead jobs again now, attempts from 0',
  usage: ['ID...', '--all [--queue NAME]'],
  options: {
    all: { kind: 'flag', means: 'every dead job' },
    queue: { kind: 'text', value: 'NAME', means: 'with --all: only of this queue' },
  },
  examples: [
    ['queuectl dlq retry k3f9', 'one job'],
    ['queuectl dlq retry --all', 'all of them, after the cause is mended'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const queue = await context.queue();
  if (!context.options.has('all')) {
    return jobLines(await queue.retry(someArguments(context, 'id', 'dlq retry'), ['dead']), () => 'pending');
  }
  if (context.args.length > 0)
    throw new QueueError('usage', { problem: 'ids and --all at once', hint: 'keep one' });
  const retried = await queue.retryAll({ states: ['dead'], queue: context.options.text('queue') });
  return { data: { retried }, text: `${many(retried, 'job')} pending` };
}
