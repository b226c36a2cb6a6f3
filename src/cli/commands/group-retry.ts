// queuectl group retry: the jobs of a group that failed, again now, attempts from 0.

import type { Command, Context, Result } from '../command.ts';
import { progressOf } from '../groups/group-change.ts';
import { many } from '../render/kit/human.ts';
import { withRefusals } from '../jobs/refusals.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'group retry',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'run the failed and dead jobs of a group again now',
  usage: ['NAME'],
  examples: [
    ['queuectl group retry photos', 'all of it that failed, after the cause is mended'],
    ['queuectl group retry photos && queuectl wait --group photos', 'and wait for the group'],
  ],
  notes: [
    'Jobs that completed or were cancelled stay as they are. To run what was cancelled because of a failed one as well: queuectl retry group:NAME --failed-and-downstream',
  ],
  completes: 'group',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'group retry');
  const queue = await context.queue();
  const { counts } = await queue.groups.get(name);
  const { jobs: retried, refusals } = await queue.groups.change(
    name,
    'retry',
    progressOf(context, 'pending'),
  );
  if (retried === 0 && counts.cancelled > 0)
    context.terminal.remark(
      `${many(counts.cancelled, 'job')} cancelled: queuectl retry group:${name} --all runs them again`,
    );
  return withRefusals({ data: { retried }, text: `${many(retried, 'job')} pending` }, refusals);
}
