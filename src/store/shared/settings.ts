// Stores a setting as JSON. Each store reads the settings itself, together with other data for a turn.

import type { SettingValue } from '../../settings/settings.ts';
import { change, type Database, REPEATABLE } from '../sql/database.ts';
import { insertInto, orUpdate, sql } from '../sql/statement.ts';

/** Deletes the setting if no value is given. */
export async function saveSetting(database: Database, key: string, value: SettingValue | undefined): Promise<void> {
  const statement =
    value === undefined
      ? sql`DELETE FROM settings WHERE key = ${key}`
      : orUpdate(insertInto('settings', 'key, value', [key, JSON.stringify(value)]), 'key', ['value']);
  await change(database, statement, { ...REPEATABLE, wakes: true });
}
