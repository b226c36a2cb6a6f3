// queuectl show: shows all details of a job.

import { detailsToJson } from '../../report/details.ts';
import type { Command, Context, OptionSpecs, Result } from '../command.ts';
import { detailsText } from '../render/details.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  'show-env': {
    kind: 'flag',
    help: 'show the values of all environment variables, which may contain secrets',
  },
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'show',
  purpose: 'look',
  summary: 'show all details of a job, its attempts and why it is waiting',
  usage: ['ID [--show-env]'],
  options: OPTIONS,
  examples: [
    ['queuectl show k3f9', 'show a job; a unique prefix of the ID is enough'],
    ['queuectl show k3f9 --json | jq .history', 'print the attempts as JSON'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context<typeof OPTIONS>): Promise<Result> {
  const [given = ''] = exactArguments(context, ['id'], 'show');
  const queue = await context.queue();
  const details = await (await queue.reports()).details(await queue.find(given));
  const show = { env: context.options.has('show-env') };
  return { data: detailsToJson(details, show), text: detailsText(details, show, context.terminal) };
}
