// Environments of the shells that jobs were enqueued from. Each distinct environment is stored once, while a job uses
// it.

import { type NewEnvironment, newEnvironment, type Variables } from '../../job/environment/environment.ts';
import type { Connection } from './connection.ts';

/** Returns the ID of the environment, and stores it if necessary. Runs within the transaction that stores the jobs. */
export function keepEnvironment(connection: Connection, environment: NewEnvironment | null): number | null {
  if (environment === null) return null;
  const { hash, text } = environment;
  const found = connection.sql('SELECT id FROM environments WHERE hash = ? AND variables = ?').get(hash, text);
  if (found) return Number(found.id);
  const added = connection.sql('INSERT INTO environments (hash, variables) VALUES (?, ?)').run(hash, text);
  return Number(added.lastInsertRowid);
}

/** Like keepEnvironment(), for the text of a job from another store. */
export const keepText = (connection: Connection, text: string | null): number | null =>
  keepEnvironment(connection, text === null ? null : newEnvironment(text));

export function textOf(connection: Connection, id: number | null): string | null {
  if (id === null) return null;
  const row = connection.sql('SELECT variables FROM environments WHERE id = ?').get(id);
  return row ? String(row.variables) : null;
}

/** Cached, because claims read the same few environments again and again. */
export function variablesOf(connection: Connection, id: number | null): Variables | null {
  if (id === null) return null;
  const known = connection.environments.get(id);
  if (known) return known;
  const text = textOf(connection, id);
  return text === null ? null : connection.environments.add(id, text);
}
