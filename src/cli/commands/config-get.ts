import { SETTING_KEYS, type SettingKey, type Settings, settingKey } from '../../settings/settings.ts';
import { countsAttempts } from '../../text/synonyms/settings.ts';
import type { Command, Result } from '../command.ts';
import { exactArguments } from '../required.ts';

export const command: Command = {
  name: 'config get',
  purpose: 'set up',
  summary: 'print the value of one setting, or of all settings',
  usage: ['[KEY]'],
  examples: [
    ['queuectl config get max_retries', 'print only the value, for scripts'],
    ['queuectl config get --json', 'print all settings as JSON'],
  ],
  completes: 'setting',
  run: async (context) => {
    const [given] = exactArguments(context, context.args.length > 0 ? ['key'] : [], 'config get');
    const key = given === undefined ? null : settingKey(given);
    const settings = await (await context.queue()).settings();
    if (key === null) return everything(settings);
    const answer = one(settings, key);
    // Shows the value under this name: attempts, not retries.
    return countsAttempts(given ?? '') ? { ...answer, text: String(settings.number(key) + 1) } : answer;
  },
};

const shown = (settings: Settings, key: SettingKey): string => String(settings.shown(key) ?? 'none');

function one(settings: Settings, key: SettingKey): Result {
  return {
    data: { key, value: settings.shown(key), source: settings.source(key) },
    text: shown(settings, key),
  };
}

function everything(settings: Settings): Result {
  return {
    data: Object.fromEntries(SETTING_KEYS.map((key) => [key, settings.shown(key)])),
    text: SETTING_KEYS.map((key) => `${key} = ${shown(settings, key)}`).join('\n'),
  };
}
