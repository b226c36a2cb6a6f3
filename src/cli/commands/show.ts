import { detailsToJson } from '../../report/details.ts';
import type { Command, OptionSpecs } from '../command.ts';
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
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['id'], 'show');
    const queue = await context.queue();
    const details = await (await queue.reports()).details(await queue.find(given));
    const show = { env: context.options.has('show-env') };
    return { data: detailsToJson(details, show), text: detailsText(details, show, context.terminal) };
  },
};
