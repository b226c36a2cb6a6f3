// queuectl retry: jobs again now, attempts from 0.

import { QueueError } from '../../errors.ts';
import { RETRYABLE_STATES } from '../../job/state-sets.ts';
import type { Command, Context, Result } from '../command.ts';
import { deadHint } from '../dead-hint.ts';
import { jobLines } from '../job-lines.ts';
import { many } from '../render/human.ts';
import { someArguments } from '../required.ts';

export const command: Command = {
  name: 'retry',
  purpose: 'repair',
  summary: 'run jobs again now, attempts from 0',
  usage: ['ID...', '--failed [--queue NAME]'],
  options: {
    failed: { kind: 'flag', means: 'all jobs that wait for a retry' },
    queue: { kind: 'text', value: 'NAME', means: 'with --failed: only of this queue' },
  },
  examples: [
    ['queuectl retry k3f9', 'one job, whatever way it ended'],
    ['queuectl retry --failed', 'all that wait for their backoff, now'],
    ['queuectl dlq retry --all', 'all in the dead letter queue'],
  ],
  notes: [`Takes jobs that are ${RETRYABLE_STATES.join(', ')}.`],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const queue = await context.queue();
  if (!context.options.has('failed')) {
    return jobLines(await queue.retry(someArguments(context, 'id', 'retry')), () => 'pending');
  }
  if (context.args.length > 0)
    throw new QueueError('usage', { problem: 'ids and --failed at once', hint: 'keep one' });
  const retried = await queue.retryAll({ states: ['failed'], queue: context.options.text('queue') });
  const elsewhere = retried === 0 ? await deadHint(context, 'queuectl dlq retry --all') : null;
  if (elsewhere !== null) context.terminal.remark(elsewhere);
  return { data: { retried }, text: `${many(retried, 'job')} pending` };
}
