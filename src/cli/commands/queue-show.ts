import { queueToJson } from '../../report/queues.ts';
import type { Command } from '../command.ts';
import { queueName } from '../queue-name.ts';
import { queueDetails } from '../render/queue.ts';

export const command: Command = {
  name: 'queue show',
  purpose: 'look',
  summary: 'show the jobs, limits and workers of a named queue',
  usage: ['NAME'],
  examples: [
    ['queuectl queue show mail', 'show the jobs and limits of a queue'],
    ['queuectl queue show mail --json', 'print the queue as JSON'],
  ],
  completes: 'queue',
  run: async (context) => {
    const name = queueName(context, 'queue show');
    const queue = await context.queue();
    const view = await (await queue.reports()).queue(name);
    return { data: queueToJson(view), text: queueDetails(view, queue.now(), context.terminal) };
  },
};
