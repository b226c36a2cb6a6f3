// Storing a setting, as a JSON value. Each store reads the settings in its own way, together with what else a turn asks for.

import type { SettingValue } from '../../settings/settings.ts';
import { change, type Database, REPEATABLE } from '../sql/database.ts';
import { insertInto, orUpdate, sql } from '../sql/statement.ts';

/** Deletes the setting if no value is given. */
export async function saveSetting(
  database: Database,
  key: string,
  value: SettingValue | undefined,
): Promise<void> {
  const statement =
    value === undefined
      ? sql`DELETE FROM settings WHERE key = ${key}`
      : orUpdate(insertInto('settings', 'key, value', [key, JSON.stringify(value)]), 'key', ['value']);
  await change(database, statement, { ...REPEATABLE, wakes: true });
}
