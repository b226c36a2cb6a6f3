// queuectl show: everything about one job, and why it is not running.

import { detailsToJson } from '../../report/details.ts';
import type { Command, Context, Result } from '../command.ts';
import { detailsText } from '../render/details.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'show',
  purpose: 'look',
  summary: 'show all about a job: its attempts, why it is not running',
  usage: ['ID [--show-env]'],
  options: {
    'show-env': { kind: 'flag', means: 'show the values of all its variables, which may be secrets' },
  },
  examples: [
    ['queuectl show k3f9', 'the start of an id is enough when only one job has it'],
    ['queuectl show k3f9 --json | jq .history', 'its attempts as data'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['id'], 'show');
  const queue = await context.queue();
  const details = await (await queue.reports()).details(await queue.find(given));
  const show = { env: context.options.has('show-env') };
  return { data: detailsToJson(details, show), text: detailsText(details, show, context.terminal) };
}
