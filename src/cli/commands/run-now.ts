// queuectl run-now: waiting jobs do not wait any longer.

import { BULK_OPTIONS, CHOOSING_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command = {
  name: 'run-now',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'run waiting jobs now: no start time, no backoff, no hold',
  usage: ['ID...', '--filter FILTER | --queue NAME | --group NAME ...'],
  options: { ...CHOOSING_OPTIONS, ...BULK_OPTIONS },
  examples: [
    ['queuectl run-now k3f9', 'at the next turn of a worker, with the attempts it has left'],
    ["queuectl run-now --filter 'state:failed queue:mail'", 'all of these'],
    ['queuectl retry k3f9', 'the same, with all its retries again'],
  ],
  notes: ['Takes jobs that are pending or failed; one that waits for others cannot run now.', FILTER_NOTE],
  completes: 'job',
  run: (context) => {
    const change = { kind: 'run-now' } as const;
    return changeJobs(
      context,
      { name: 'run-now', change, action: (jobs) => `run ${jobs} now`, done: 'due', isDestructive: false },
      (queue, ids) => queue.change(ids, change),
      ({ state }) => `${state}, runs now`,
    );
  },
};
