// queuectl dlq retry: out of the dead letter queue, attempts from 0, now.

import { BULK_OPTIONS, CHOOSING_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command = {
  name: 'dlq retry',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'run dead jobs again now, attempts from 0',
  usage: ['ID...', '--all [--queue NAME]', '--error TEXT | --filter FILTER | --queue NAME ...'],
  options: { all: { kind: 'flag', means: 'every dead job' }, ...CHOOSING_OPTIONS, ...BULK_OPTIONS },
  examples: [
    ['queuectl dlq retry k3f9', 'one job'],
    ['queuectl dlq retry --all', 'all of them, after the cause is mended'],
    ["queuectl dlq retry --error 'no space left'", 'those with this text in their error'],
    ['queuectl dlq retry --error err-fpydnc9q', 'one line of dlq list --group-by error'],
  ],
  notes: [FILTER_NOTE],
  completes: 'job',
  run: (context) =>
    changeJobs(
      context,
      {
        name: 'dlq retry',
        which: 'queuectl dlq retry ID; all of them: queuectl dlq retry --all',
        change: { kind: 'retry' },
        action: (jobs) => `retry ${jobs}`,
        done: 'retried',
        becomes: 'pending',
        isDestructive: false,
        forAll: context.options.has('all') ? '--all' : undefined,
        only: { states: ['dead'] },
      },
      (queue, ids) => queue.retry(ids, ['dead']),
      () => 'pending',
    ),
};
