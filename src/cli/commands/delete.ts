// queuectl delete: removes jobs with their history and logs.

import type { Command } from '../command.ts';
import { jobLines } from '../job-lines.ts';
import { someArguments } from '../required.ts';

export const command: Command = {
  name: 'delete',
  purpose: 'repair',
  summary: 'remove jobs with their history and logs',
  usage: ['ID...'],
  examples: [
    ['queuectl delete k3f9', 'one job; a running one must be cancelled first'],
    ['queuectl prune --older-than 7d', 'all that finished a week ago'],
  ],
  completes: 'job',
  run: async (context) => {
    const queue = await context.queue();
    return jobLines(await queue.remove(someArguments(context, 'id', 'delete')), () => 'deleted');
  },
};
