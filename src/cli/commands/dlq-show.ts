// queuectl dlq show: everything about one dead job.

import { QueueError } from '../../errors/errors.ts';
import { detailsToJson } from '../../report/details.ts';
import type { Command, Context, Result } from '../command.ts';
import { detailsText } from '../render/details.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'dlq show',
  purpose: 'look',
  summary: 'show everything about a dead job',
  usage: ['ID [--show-env]'],
  options: {
    'show-env': { kind: 'flag', means: 'show the values of all its variables, which may be secrets' },
  },
  examples: [
    ['queuectl dlq show k3f9', 'its attempts and what it died of'],
    ['queuectl logs k3f9', 'what it wrote'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['id'], 'dlq show');
  const queue = await context.queue();
  const job = await queue.find(given);
  if (job.state !== 'dead') {
    const { id, state } = job;
    throw new QueueError('wrong_state', {
      id,
      state,
      verb: 'dlq show',
      allowed: 'dead',
      hint: `queuectl show ${id}`,
    });
  }
  const details = await (await queue.reports()).details(job);
  const show = { env: context.options.has('show-env') };
  return { data: detailsToJson(details, show), text: detailsText(details, show, context.terminal) };
}
