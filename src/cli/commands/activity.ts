// queuectl activity: who did what to the queue.

import { QueueError } from '../../errors/errors.ts';
import { activityToJson } from '../../report/accounts.ts';
import type { Command, Context, Result } from '../command.ts';
import { activityTable } from '../render/account.ts';
import { exactArguments } from '../required.ts';

const USUAL_LIMIT = 20;

export const command: Command = {
  name: 'activity',
  purpose: 'look',
  summary: 'show who did what to the queue',
  usage: ['[--limit N]'],
  options: {
    limit: { kind: 'integer', short: 'n', value: 'N', means: `at most so many (default: ${USUAL_LIMIT})` },
  },
  examples: [['queuectl activity', 'the newest first']],
  notes: [
    'Commands that change something and requests over HTTP are recorded, the last 10,000 of them. New jobs are not: each says itself when it came.',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'activity');
  const limit = context.options.number('limit') ?? USUAL_LIMIT;
  if (limit < 1)
    throw new QueueError('usage', { problem: `--limit must be 1 or more, not ${limit}`, hint: '' });
  const entries = await (await context.queue()).activity.list(limit);
  if (entries.length === 0) context.terminal.hint('nobody has changed anything yet');
  return {
    data: entries.map(activityToJson),
    text: entries.length === 0 ? '' : activityTable(entries, context.terminal),
  };
}
