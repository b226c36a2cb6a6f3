import type { Command, OptionSpecs } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { cancelGroup, unfinishedIn } from '../groups/group-change.ts';
import { count, many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

const OPTIONS = {
  'no-wait': { kind: 'flag', help: 'return without waiting for running jobs to stop' },
  ...YES,
} satisfies OptionSpecs;

export const command: Command<typeof OPTIONS> = {
  name: 'group cancel',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'cancel all unfinished jobs of a group',
  usage: ['NAME [--yes] [--no-wait]'],
  options: OPTIONS,
  examples: [
    ['queuectl group cancel photos', 'cancel the group after confirmation; running jobs get TERM, then KILL'],
    ['queuectl group cancel photos --yes', 'cancel the group without asking'],
  ],
  completes: 'group',
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'group cancel');
    const queue = await context.queue();
    const left = unfinishedIn(await queue.groups.get(name));
    if (left === 0) return { data: { cancelled: 0, ending: 0 }, text: 'nothing to cancel: all jobs are finished' };
    if (!(await confirm(context, `cancel ${many(left, 'job')} of group ${name}`)))
      return { data: { cancelled: 0, ending: 0 }, text: 'nothing was cancelled', exitCode: 1 };
    const { cancelled, ending } = await cancelGroup(context, queue, name, !context.options.has('no-wait'));
    const still = ending === 0 ? '' : `, ${count(ending)} stopping`;
    return { data: { cancelled, ending }, text: `${many(cancelled, 'job')} cancelled${still}` };
  },
};
