import { BY_HAND } from '../../job/waiting-change.ts';
import { CHANGE_OPTIONS, changeJobs } from '../jobs/change-jobs.ts';
import type { Command, OptionSpecs } from '../command.ts';
import { FILTER_NOTE } from '../options/filtering.ts';

const OPTIONS = {
  reason: { kind: 'text', value: 'TEXT', help: 'reason to show to other users' },
  ...CHANGE_OPTIONS,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'hold',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'keep waiting jobs from starting until you release them',
  usage: ['ID... [--reason TEXT]', '--filter FILTER | --queue NAME | --group NAME ...'],
  options: OPTIONS,
  examples: [
    ["queuectl hold k3f9 --reason 'until the disk is bigger'", 'hold one job and record the reason'],
    ["queuectl hold --filter 'queue:mail tag:news'", 'hold all matching jobs that are waiting'],
    ['queuectl list held:yes', 'list held jobs'],
  ],
  notes: ['A held job stays held when its dependencies finish.', FILTER_NOTE],
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
