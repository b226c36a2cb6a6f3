import { whyToJson } from '../../report/waiting/why.ts';
import type { Command } from '../command.ts';
import { whyLines, whyText } from '../render/why.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'why',
  purpose: 'look',
  summary: 'explain why a job is not running, or how it finished',
  usage: ['ID'],
  examples: [
    ['queuectl why k3f9', 'show what the job is waiting for, its position in line and what to do'],
    ['queuectl why k3f9 --json | jq .waiting_reasons', 'print the reasons as JSON'],
  ],
  completes: 'job',
  run: async (context) => {
    const [given = ''] = exactArguments(context, ['id'], 'why');
    const queue = await context.queue();
    const details = await (await queue.reports()).details(await queue.find(given));
    return {
      data: whyToJson(details, whyLines(details).join('; ')),
      text: whyText(details, context.terminal),
    };
  },
};
