// queuectl hold: waiting jobs stay where they are until somebody releases them.

import { BY_HAND } from '../../job/waiting-change.ts';
import { BULK_OPTIONS, CHOOSING_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

export const command: Command = {
  name: 'hold',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'keep waiting jobs from running until they are released',
  usage: ['ID... [--reason TEXT]', '--filter FILTER | --queue NAME | --group NAME ...'],
  options: {
    reason: { kind: 'text', value: 'TEXT', means: 'why, for those who wonder' },
    ...CHOOSING_OPTIONS,
    ...BULK_OPTIONS,
  },
  examples: [
    ["queuectl hold k3f9 --reason 'until the disk is bigger'", 'one job'],
    ["queuectl hold --filter 'queue:mail tag:news'", 'all of these that wait'],
    ['queuectl list held:yes', 'what is held'],
  ],
  notes: ['A job that waits for others stays held when they have ended.', FILTER_NOTE],
  completes: 'job',
  run: (context) => {
    const reason = context.options.text('reason') || BY_HAND;
    const change = { kind: 'hold', reason } as const;
    return changeJobs(
      context,
      { name: 'hold', change, action: (jobs) => `hold ${jobs}`, done: 'held', isDestructive: false },
      (queue, ids) => queue.change(ids, change),
      () => 'held',
    );
  },
};
