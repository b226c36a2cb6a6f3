// queuectl why: why a job is not running, or what became of it, in a sentence or two.

import { whyToJson } from '../../report/waiting/why.ts';
import type { Command, Context, Result } from '../command.ts';
import { whyLines, whyText } from '../render/why.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'why',
  purpose: 'look',
  summary: 'say why a job is not running, or what became of it',
  usage: ['ID'],
  examples: [
    ['queuectl why k3f9', 'what it waits for, its place in line, and what to do about it'],
    ['queuectl why k3f9 --json | jq .waits_for', 'the reasons as data'],
  ],
  completes: 'job',
  run,
};

async function run(context: Context): Promise<Result> {
  const [given = ''] = exactArguments(context, ['id'], 'why');
  const queue = await context.queue();
  const details = await (await queue.reports()).details(await queue.find(given));
  return {
    data: whyToJson(details, whyLines(details).join('; ')),
    text: whyText(details, context.terminal),
  };
}
