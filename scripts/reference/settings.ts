// docs/reference/settings.md: every setting with its default and the values it accepts.

import { SETTING_KEYS, SETTINGS } from '../../src/settings/settings.ts';
import { type Block, code, table } from './block.ts';

export function settingsBlock(): Block {
  const rows = SETTING_KEYS.map((key) => {
    const setting = SETTINGS[key];
    const usual = setting.default === null ? 'none' : code(String(setting.default));
    return [code(key), usual, setting.help, setting.expected, setting.isShared ? 'no' : 'yes'];
  });
  const text = table(['setting', 'default', 'description', 'accepts', 'variable'], rows);
  return { page: 'reference/settings.md', name: 'settings', text };
}
