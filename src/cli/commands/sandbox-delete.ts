import { QueueError } from '../../errors/errors.ts';
import { ownProfilesOf } from '../../intake/isolation-check.ts';
import type { Command } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'sandbox delete',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'delete a custom sandbox',
  usage: ['NAME'],
  examples: [['queuectl sandbox delete build', 'delete the sandbox named build; jobs that use it can no longer start']],
  run: async (context) => {
    const [name = ''] = exactArguments(context, ['name'], 'sandbox delete');
    const queue = await context.queue();
    const { [name]: removed, ...others } = ownProfilesOf(await queue.settings());
    if (removed === undefined) throw new QueueError('sandbox_not_found', { name });
    if (Object.keys(others).length === 0) await queue.unsetSetting('sandbox_profiles');
    else await queue.setSetting('sandbox_profiles', JSON.stringify(others));
    return { data: { name, is_removed: true }, text: `sandbox ${name} deleted` };
  },
};
