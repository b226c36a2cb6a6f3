// The settings in effect for a worker, which change when a turn returns other stored values.

import { isDeepStrictEqual } from 'node:util';
import { Settings, type Stored } from '../settings/settings.ts';

export class LiveSettings {
  current: Settings;
  stored: Stored = {};
  /** Settings from the environment, which take precedence over stored ones. */
  private readonly overrides: Stored;

  constructor(overrides: Stored) {
    this.overrides = overrides;
    this.current = new Settings({}, overrides);
  }

  /** Returns true if the settings have changed. */
  update(stored: Stored): boolean {
    const isSame = isDeepStrictEqual(stored, this.stored);
    this.stored = stored;
    if (!isSame) this.current = new Settings(stored, this.overrides);
    return !isSame;
  }
}
