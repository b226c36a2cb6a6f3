import { CHANGE_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command<typeof CHANGE_OPTIONS> = {
  name: 'release',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'release held jobs',
  usage: ['ID...', '--filter FILTER | --queue NAME | --group NAME ...'],
  options: CHANGE_OPTIONS,
  examples: [
    ['queuectl release k3f9', 'release one job'],
    ['queuectl release --queue mail', 'release all held jobs in a queue'],
    ['queuectl release --filter held:yes', 'release all held jobs'],
  ],
  notes: [FILTER_NOTE],
  completes: 'job',
  run: (context) => {
    const change = { kind: 'release' } as const;
    return changeJobs(
      context,
      {
        name: 'release',
        change,
        action: (jobs) => `release ${jobs}`,
        done: 'released',
        isDestructive: false,
      },
      (queue, ids) => queue.change(ids, change),
      ({ state }) => `released, ${state}`,
    );
  },
};
