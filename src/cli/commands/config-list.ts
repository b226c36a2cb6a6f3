// queuectl config list: lists all settings with their values, sources and descriptions.

import { settingsToJson } from '../../report/setting.ts';
import { SETTING_KEYS, SETTINGS, type Settings } from '../../settings/settings.ts';
import type { Command, Context, Result } from '../command.ts';
import { type Column, table } from '../render/kit/table.ts';
import { exactArguments } from '../required.ts';
import type { Terminal } from '../terminal.ts';

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
  run,
};

async function run(context: Context): Promise<Result> {
  exactArguments(context, [], 'config list');
  const settings = await (await context.queue()).settings();
  return { data: settingsToJson(settings), text: settingTable(settings, context.terminal) };
}

const COLUMNS: readonly Column[] = [
  { title: 'key' },
  { title: 'value' },
  { title: 'source' },
  { title: 'description', wraps: true, least: 24, spare: 1 },
];

function settingTable(settings: Settings, { style, width }: Terminal): string {
  const rows = SETTING_KEYS.map((key) => {
    const source = settings.source(key);
    const paint = source === 'default' ? style.dim : style.accent;
    return [key, String(settings.shown(key) ?? 'none'), paint(source), SETTINGS[key].help];
  });
  return table(COLUMNS, rows, width, style);
}
