// Stored settings, a JSON value a key.

import type { SettingValue, Stored } from '../../settings/settings.ts';
import type { Connection, Session } from './session/connection.ts';

/** All of them as one value, so that they fit into any other question. */
export const SETTINGS = 'SELECT json_object_agg(key, value) FROM settings';

export function settingsOf(value: unknown): Stored {
  const entries = Object.entries((value ?? {}) as Record<string, string>);
  return Object.fromEntries(entries.map(([key, text]) => [key, JSON.parse(text)]));
}

export async function readSettings(connection: Connection): Promise<Stored> {
  const { rows } = await connection.query(`SELECT (${SETTINGS}) AS settings`);
  return settingsOf(rows[0]?.settings);
}

export async function writeSetting(
  session: Session,
  key: string,
  value: SettingValue | undefined,
): Promise<void> {
  if (value === undefined) await session.sql('DELETE FROM settings WHERE key = $1', [key]);
  else {
    await session.sql(
      'INSERT INTO settings VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [key, JSON.stringify(value)],
    );
  }
}
