import { usageError } from '../../errors/errors.ts';
import type { Command } from '../command.ts';
import { settingText } from '../render/setting.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'config unset',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'reset a setting to its default',
  usage: ['KEY'],
  examples: [['queuectl config unset max_retries', 'reset max_retries to its default, 3']],
  completes: 'setting',
  run: async (context) => {
    if (context.args.length === 0)
      throw usageError('missing KEY', 'queuectl config unset KEY; list the stored settings: queuectl config list');
    const [given = ''] = exactArguments(context, ['key'], 'config unset');
    const queue = await context.queue();
    const key = await queue.unsetSetting(given);
    const settings = await queue.settings();
    const data = { key, value: settings.shown(key), source: settings.source(key) };
    return { data, text: `${key} = ${settingText(key, data.value)} (${data.source})` };
  },
};
