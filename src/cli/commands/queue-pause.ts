// queuectl queue pause: nothing new of a queue starts, or of all of them.

import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Command, Context, Result } from '../command.ts';
import { queueNameOrAll, remarkIfMistyped } from '../queue-name.ts';
import { many } from '../render/kit/human.ts';

export const command: Command = {
  name: 'queue pause',
  aliases: ['pause'],
  purpose: 'repair',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'start nothing new of a queue, or of all; what runs goes on',
  usage: ['[NAME]'],
  examples: [
    ['queuectl queue pause mail', 'jobs may still be enqueued, and wait'],
    ['queuectl queue pause', 'everything'],
  ],
  completes: 'queue',
  run,
};

async function run(context: Context): Promise<Result> {
  const name = queueNameOrAll(context, 'queue pause');
  const queue = await context.queue();
  await remarkIfMistyped(context, queue, name);
  await queue.queues.pause(name);
  const { queues } = await queue.overview();
  const running = queues
    .filter((one) => name === EVERY_QUEUE || one.queue === name)
    .reduce((sum, { counts }) => sum + counts.processing, 0);
  const who = name === EVERY_QUEUE ? 'everything is' : `queue ${name} is`;
  const rest = running === 0 ? '' : `; ${many(running, 'job')} still running`;
  return {
    data: { queue: name === EVERY_QUEUE ? null : name, paused: true, running },
    text: `${who} paused${rest}`,
  };
}
