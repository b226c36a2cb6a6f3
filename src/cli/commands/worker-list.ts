// queuectl worker list: who works, since when, on what.

import { workerToJson } from '../../report/workers.ts';
import type { Command, Context, Result } from '../command.ts';
import { workerTable } from '../render/worker.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'worker list',
  purpose: 'look',
  summary: 'list the workers and what they run',
  usage: [''],
  examples: [
    ['queuectl worker list', 'all of them, on every host'],
    ['queuectl worker list --json', 'as data'],
  ],
  notes: [
    'States: idle, busy, stopping (finishes what it runs), lost (died, and nobody has taken over yet).',
  ],
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'worker list');
  const queue = await context.queue();
  const workers = await queue.workers();
  if (workers.length === 0) context.terminal.hint('no worker is running: queuectl worker start');
  return {
    data: workers.map(workerToJson),
    text: workers.length === 0 ? '' : workerTable(workers, queue.now(), context.terminal),
  };
}
