import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Command } from '../command.ts';
import { queueNameOrAll, remarkIfMistyped } from '../queue-name.ts';

export const command: Command = {
  name: 'queue resume',
  aliases: ['resume'],
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'resume one paused or draining queue, or all',
  usage: ['[NAME]'],
  examples: [
    ['queuectl queue resume mail', 'resume one queue'],
    ['queuectl queue resume', 'undo a pause of all queues; queues paused by name stay paused'],
  ],
  completes: 'queue',
  run: async (context) => {
    const name = queueNameOrAll(context, 'queue resume');
    const queue = await context.queue();
    await remarkIfMistyped(context, queue, name);
    const stillPaused = await queue.queues.resume(name);
    if (stillPaused.length > 0)
      context.terminal.hint(
        `still paused: ${stillPaused.map((one) => (one.queue === EVERY_QUEUE ? 'all queues' : one.queue)).join(', ')}`,
      );
    return {
      data: { queue: name === EVERY_QUEUE ? null : name, paused: false },
      text: name === EVERY_QUEUE ? 'all queues resumed' : `queue ${name} resumed`,
    };
  },
};
