// queuectl config unset: back to the default.

import { QueueError } from '../../errors/errors.ts';
import type { Command } from '../command.ts';
import { settingText } from '../render/setting.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'config unset',
  purpose: 'set up',
  recorded: { about: 'arguments' },
  summary: 'set a setting back to its default',
  usage: ['KEY'],
  examples: [['queuectl config unset max_retries', 'back to 3']],
  completes: 'setting',
  run: async (context) => {
    if (context.args.length === 0)
      throw new QueueError('usage', {
        problem: 'missing KEY: settings are reset one at a time',
        hint: 'queuectl config unset KEY; queuectl config list shows which settings are stored',
      });
    const [given = ''] = exactArguments(context, ['key'], 'config unset');
    const queue = await context.queue();
    const key = await queue.unsetSetting(given);
    const settings = await queue.settings();
    const data = { key, value: settings.shown(key), source: settings.source(key) };
    return { data, text: `${key} = ${settingText(key, data.value)} (${data.source})` };
  },
};
