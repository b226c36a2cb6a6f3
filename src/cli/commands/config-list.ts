import { settingsToJson } from '../../report/setting.ts';
import { SETTING_KEYS, SETTINGS, type Settings } from '../../settings/settings.ts';
import type { Command } from '../command.ts';
import { tableOf } from '../render/kit/table.ts';
import { exactArguments } from '../required.ts';
import type { Screen } from '../terminal.ts';

export const command: Command = {
  name: 'config list',
  purpose: 'set up',
  summary: 'list all settings, their values and where the values come from',
  usage: [''],
  examples: [
    ['queuectl config list', 'list key, value, source and description'],
    ['queuectl config set max-retries 5', 'store a setting in this queue'],
    ['QUEUECTL_MAX_RETRIES=5 queuectl config list', 'override a stored setting through the environment'],
  ],
  run: async (context) => {
    exactArguments(context, [], 'config list');
    const settings = await (await context.queue()).settings();
    return { data: settingsToJson(settings), text: settingTable(settings, context.terminal) };
  },
};

const settingTable = (settings: Settings, screen: Screen): string =>
  tableOf(
    SETTING_KEYS,
    [
      { title: 'key', cell: (key) => key },
      { title: 'value', cell: (key) => String(settings.shown(key) ?? 'none') },
      { title: 'source', cell: (key) => sourceText(settings.source(key), screen.style) },
      { title: 'description', wraps: true, least: 24, spare: 1, cell: (key) => SETTINGS[key].help },
    ],
    screen,
  );

const sourceText = (source: string, { dim, accent }: Screen['style']): string =>
  source === 'default' ? dim(source) : accent(source);
