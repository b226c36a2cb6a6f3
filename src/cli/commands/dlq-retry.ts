import { CHANGE_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

const OPTIONS = {
  all: { kind: 'flag', help: 'retry every dead job' },
  ...CHANGE_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'dlq retry',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'retry dead jobs now, with attempts reset to 0',
  usage: ['ID...', '--all [--queue NAME]', '--error TEXT | --filter FILTER | --queue NAME ...'],
  options: OPTIONS,
  examples: [
    ['queuectl dlq retry k3f9', 'retry one job'],
    ['queuectl dlq retry --all', 'retry all dead jobs after fixing the cause'],
    ["queuectl dlq retry --error 'no space left'", 'retry dead jobs whose error contains a text'],
    ['queuectl dlq retry --error err-fpydnc9q', 'retry one error group of dlq list --group-by error'],
  ],
  notes: [FILTER_NOTE],
  completes: 'job',
  run: (context) =>
    changeJobs(
      context,
      {
        name: 'dlq retry',
        which: 'queuectl dlq retry ID; or retry all: queuectl dlq retry --all',
        change: { kind: 'retry' },
        action: (jobs) => `retry ${jobs}`,
        done: 'retried',
        becomes: 'requeued',
        isDestructive: false,
        forAll: context.options.has('all') ? '--all' : undefined,
        only: { states: ['dead'] },
      },
      (queue, ids) => queue.retry(ids, ['dead']),
      () => 'pending',
    ),
};
