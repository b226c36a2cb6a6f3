// queuectl secret remove: jobs are given it no longer.

import type { Command, Context, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'secret remove',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'remove a secret; jobs that need it fail at their start',
  usage: ['NAME'],
  examples: [['queuectl secret remove DB_PASSWORD', 'jobs that run have it until they end']],
  completes: 'secret',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'secret remove');
  await context.call('removeSecret', { name });
  return { data: { name, is_removed: true }, text: `secret ${name} removed` };
}
