// Stored settings, one JSON value per key.

import type { Stored } from '../../settings/settings.ts';
import type { Connection } from './connection.ts';

export function readSettings(connection: Connection): Stored {
  const rows = connection.sql('SELECT key, value FROM settings').all();
  return Object.fromEntries(rows.map((row) => [row.key, JSON.parse(String(row.value))]));
}

/** Caches parsed settings, because they rarely change between turns. */
export class SettingsCache {
  private text = '';
  private settings: Stored = {};

  read(text: string): Stored {
    if (text !== this.text) {
      this.settings = JSON.parse(text);
      this.text = text;
    }
    return this.settings;
  }
}
