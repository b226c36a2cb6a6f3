import { CHANGE_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command<typeof CHANGE_OPTIONS> = {
  name: 'run-now',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'start waiting jobs now: skip the start time, backoff and hold',
  usage: ['ID...', '--filter FILTER | --queue NAME | --group NAME ...'],
  options: CHANGE_OPTIONS,
  examples: [
    ['queuectl run-now k3f9', 'start the job as soon as a worker polls, with its remaining attempts'],
    ["queuectl run-now --filter 'state:failed queue:mail'", 'start all matching jobs now'],
    ['queuectl retry k3f9', 'start the job now and reset its attempts to 0'],
  ],
  notes: ['run-now accepts pending and failed jobs. A job with unfinished dependencies cannot start.', FILTER_NOTE],
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
