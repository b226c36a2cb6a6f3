// Settings stored in the queue.

import type { SettingValue, Stored } from '../../settings/settings.ts';

export interface StoredSettings {
  settings(): Promise<Stored>;
  /** Undefined removes the stored value. */
  saveSetting(key: string, value: SettingValue | undefined): Promise<void>;
}
