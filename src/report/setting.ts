// Settings with the sources of their values, as JSON for CLI, HTTP and library.

import type { Json } from '../job/wire.ts';
import { SETTING_KEYS, SETTINGS, type Settings } from '../settings/settings.ts';

export function settingsToJson(settings: Settings): Json[] {
  return SETTING_KEYS.map((key) => ({
    key,
    value: settings.shown(key),
    source: settings.source(key),
    default: SETTINGS[key].default,
    description: SETTINGS[key].help,
  }));
}
