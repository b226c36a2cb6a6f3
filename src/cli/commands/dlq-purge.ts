import { checkState } from '../../job/check-state.ts';
import type { Job } from '../../job/job.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { CHANGE_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command<typeof CHANGE_OPTIONS> = {
  name: 'dlq purge',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'delete dead jobs with their logs: all, or only matching ones',
  usage: ['[--queue NAME | --error TEXT | --filter FILTER ...] [--yes]', 'ID...'],
  options: CHANGE_OPTIONS,
  examples: [
    ['queuectl dlq purge', 'delete all dead jobs after confirmation'],
    [
      'queuectl dlq purge --older-than 7d --yes',
      'delete jobs that have been dead for more than a week, without asking',
    ],
  ],
  notes: [FILTER_NOTE],
  completes: 'job',
  run: (context) =>
    changeJobs(
      context,
      {
        name: 'dlq purge',
        change: { kind: 'delete' },
        action: (jobs) => `delete ${jobs} with their logs`,
        done: 'deleted',
        isDestructive: true,
        forAll: context.args.length === 0 ? 'missing job ID' : undefined,
        only: { states: ['dead'] },
      },
      removeDead,
      () => 'deleted',
    ),
};

async function removeDead(queue: AnyQueue, ids: readonly string[]): Promise<Job[]> {
  for (const { id, state } of await queue.findAll(ids)) checkState(id, state, ['dead'], 'dlq purge');
  return queue.remove(ids);
}
