import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Command } from '../command.ts';
import { queueNameOrAll, remarkIfMistyped } from '../queue-name.ts';
import { many } from '../render/kit/human.ts';

export const command: Command = {
  name: 'queue pause',
  aliases: ['pause'],
  purpose: 'repair',
  recorded: { about: 'arguments' },
  createsQueue: true,
  summary: 'stop starting jobs in one queue or all; running jobs continue',
  usage: ['[NAME]'],
  examples: [
    ['queuectl queue pause mail', 'pause one queue; new jobs are accepted and wait'],
    ['queuectl queue pause', 'pause all queues'],
  ],
  completes: 'queue',
  run: async (context) => {
    const name = queueNameOrAll(context, 'queue pause');
    const queue = await context.queue();
    await remarkIfMistyped(context, queue, name);
    await queue.queues.pause(name);
    const { queues } = await queue.overview();
    const running = queues
      .filter((one) => name === EVERY_QUEUE || one.queue === name)
      .reduce((sum, { counts }) => sum + counts.processing, 0);
    const who = name === EVERY_QUEUE ? 'all queues' : `queue ${name}`;
    const rest = running === 0 ? '' : `; ${many(running, 'job')} still running`;
    return {
      data: { queue: name === EVERY_QUEUE ? null : name, paused: true, running },
      text: `${who} paused${rest}`,
    };
  },
};
