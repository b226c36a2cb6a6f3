import { QueueError } from '../../errors/errors.ts';
import type { AnyQueue } from '../../queue/interface.ts';
import { sizeOf } from '../../report/group.ts';
import type { GroupRecord } from '../../store/store.ts';
import type { Command, Context, OptionSpecs } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { cancelGroup, progressOf, unfinishedIn } from '../groups/group-change.ts';
import { count, many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  cancel: { kind: 'flag', help: 'cancel unfinished jobs first' },
  ...YES,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'group delete',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'delete a group and its jobs with their history and logs',
  usage: ['NAME [--cancel] [--yes]'],
  options: OPTIONS,
  examples: [
    ['queuectl group delete photos', 'delete the group after confirmation; rejected if jobs are unfinished'],
    ['queuectl group delete photos --cancel --yes', 'cancel unfinished jobs and delete the group without asking'],
  ],
  completes: 'group',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'group delete');
    const queue = await context.queue();
    const group = await queue.groups.get(name);
    if (!context.options.has('cancel')) rejectUnfinished(group);
    const action = `delete ${many(sizeOf(group.counts), 'job')} of group ${name} with history and logs`;
    if (!(await confirm(context, action))) return { data: { removed: 0 }, text: 'nothing was deleted', exitCode: 1 };
    if (unfinishedIn(group) > 0) await endAll(context, queue, name);
    const { jobs: removed } = await queue.groups.change(name, 'delete', progressOf(context, 'deleted'));
    return { data: { removed }, text: `${many(removed, 'job')} deleted` };
  },
};

function rejectUnfinished(group: GroupRecord): void {
  const left = unfinishedIn(group);
  if (left === 0) return;
  const all = count(sizeOf(group.counts));
  throw new QueueError('group_unfinished', { name: group.name, count: `${count(left)} of ${all}` });
}

/** Cancels the jobs before deleting them, so that dependents of the group do not run. */
async function endAll(context: Context, queue: AnyQueue, name: string): Promise<void> {
  await cancelGroup(context, queue, name, true);
  rejectUnfinished(await queue.groups.get(name));
}
