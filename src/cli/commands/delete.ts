import { CHANGE_OPTIONS, changeJobs, dependentsProgress } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command<typeof CHANGE_OPTIONS> = {
  name: 'delete',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'delete jobs with their history and logs',
  usage: ['ID...', '--filter FILTER | --state STATE | --queue NAME ... [--yes]'],
  options: CHANGE_OPTIONS,
  examples: [
    ['queuectl delete k3f9', 'delete one job (cancel a running job first)'],
    ["queuectl delete --filter 'state:cancelled queue:mail'", 'delete all matching jobs after confirmation'],
    ['queuectl prune --older-than 7d', 'delete all jobs that finished more than a week ago'],
  ],
  notes: ['A filter never deletes running jobs.', FILTER_NOTE],
  completes: 'job',
  run: (context) =>
    changeJobs(
      context,
      {
        name: 'delete',
        change: { kind: 'delete' },
        action: (jobs) => `delete ${jobs} with history and logs`,
        done: 'deleted',
        isDestructive: true,
      },
      (queue, ids) => queue.remove(ids, dependentsProgress(context)),
      () => 'deleted',
    ),
};
