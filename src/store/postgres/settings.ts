// Stored settings: a JSON value for each key.

import type { Stored } from '../../settings/settings.ts';
import type { Connection } from './session/connection.ts';

/** All settings as one value, to be used within other queries. */
export const SETTINGS = 'SELECT json_object_agg(key, value) FROM settings';

export function settingsOf(value: unknown): Stored {
  const entries = Object.entries((value ?? {}) as Record<string, string>);
  return Object.fromEntries(entries.map(([key, text]) => [key, JSON.parse(text)]));
}

export async function readSettings(connection: Connection): Promise<Stored> {
  const { rows } = await connection.query(`SELECT (${SETTINGS}) AS settings`);
  return settingsOf(rows[0]?.settings);
}
