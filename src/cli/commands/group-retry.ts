import type { Command } from '../command.ts';
import { progressOf } from '../groups/group-change.ts';
import { many } from '../render/kit/human.ts';
import { withRejections } from '../jobs/rejections.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'group retry',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'retry the failed and dead jobs of a group now',
  usage: ['NAME'],
  examples: [
    ['queuectl group retry photos', 'retry all failed and dead jobs of the group'],
    ['queuectl group retry photos && queuectl wait --group photos', 'retry the group and wait until it finishes'],
  ],
  notes: [
    'Completed and cancelled jobs are not changed. To retry downstream jobs that were cancelled after a failure: queuectl retry group:NAME --failed-and-downstream',
  ],
  completes: 'group',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'group retry');
    const queue = await context.queue();
    const { counts } = await queue.groups.get(name);
    const { jobs: retried, rejections } = await queue.groups.change(name, 'retry', progressOf(context, 'pending'));
    if (retried === 0 && counts.cancelled > 0)
      context.terminal.remark(
        `${many(counts.cancelled, 'job')} cancelled; retry them with: queuectl retry group:${name} --all`,
      );
    return withRejections({ data: { retried }, text: `${many(retried, 'job')} requeued` }, rejections);
  },
};
