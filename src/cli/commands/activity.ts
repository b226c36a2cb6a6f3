// queuectl activity: who did what to the queue.

import { QueueError } from '../../errors/errors.ts';
import { deedToJson } from '../../report/accounts.ts';
import type { Command, Context, Result } from '../command.ts';
import { deedTable } from '../render/account.ts';
import { theseArguments } from '../required.ts';

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
  theseArguments(context, [], 'activity');
  const limit = context.options.number('limit') ?? USUAL_LIMIT;
  if (limit < 1)
    throw new QueueError('usage', { problem: `--limit must be 1 or more, not ${limit}`, hint: '' });
  const deeds = await (await context.queue()).activity.list(limit);
  if (deeds.length === 0) context.terminal.hint('nobody has changed anything yet');
  return {
    data: deeds.map(deedToJson),
    text: deeds.length === 0 ? '' : deedTable(deeds, context.terminal),
  };
}
