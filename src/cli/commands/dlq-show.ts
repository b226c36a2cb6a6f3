import { QueueError } from '../../errors/errors.ts';
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
  name: 'dlq show',
  purpose: 'look',
  summary: 'show all details of a dead job',
  usage: ['ID [--show-env]'],
  options: OPTIONS,
  examples: [
    ['queuectl dlq show k3f9', 'show the attempts and the last error'],
    ['queuectl logs k3f9', 'show the output'],
  ],
  completes: 'job',
  run: async (context) => {
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
        hint: `show the job: queuectl show ${id}`,
      });
    }
    const details = await (await queue.reports()).details(job);
    const show = { env: context.options.has('show-env') };
    return { data: detailsToJson(details, show), text: detailsText(details, show, context.terminal) };
  },
};
