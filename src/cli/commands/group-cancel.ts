// queuectl group cancel: all jobs of a group that have not ended.

import type { Command, Context, Result } from '../command.ts';
import { confirm, YES } from '../confirm.ts';
import { cancelGroup, unfinishedIn } from '../groups/group-change.ts';
import { count, many } from '../render/kit/human.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'group cancel',
  purpose: 'repair',
  recorded: { about: 'arguments' },
  summary: 'stop all jobs of a group that have not ended',
  usage: ['NAME [--yes] [--no-wait]'],
  options: { 'no-wait': { kind: 'flag', means: 'do not wait until running jobs have ended' }, ...YES },
  examples: [
    ['queuectl group cancel photos', 'asks first; running jobs get TERM and then KILL'],
    ['queuectl group cancel photos --yes', 'in a script'],
  ],
  completes: 'group',
  run,
};

async function run(context: Context): Promise<Result> {
  const [name = ''] = exactArguments(context, ['name'], 'group cancel');
  const queue = await context.queue();
  const left = unfinishedIn(await queue.groups.get(name));
  if (left === 0) return { data: { cancelled: 0, ending: 0 }, text: 'nothing to cancel: all have ended' };
  if (!(await confirm(context, `cancel ${many(left, 'job')} of group ${name}`)))
    return { data: { cancelled: 0, ending: 0 }, text: 'nothing was cancelled', exitCode: 1 };
  const { cancelled, ending } = await cancelGroup(context, queue, name, !context.options.has('no-wait'));
  const still = ending === 0 ? '' : `, ${count(ending)} being ended`;
  return { data: { cancelled, ending }, text: `${many(cancelled, 'job')} cancelled${still}` };
}
