// Environments of the shells that jobs were enqueued from, each kept once, for as long as a job refers to it.

import {
  type NewEnvironment,
  newEnvironment,
  type Variables,
  variablesIn,
} from '../../job/environment/environment.ts';
import type { Environments, Swept } from '../store.ts';
import type { Connection } from './connection.ts';

/** The id of this environment, which is there afterwards. Within the transaction that stores its jobs. */
export function keepEnvironment(connection: Connection, environment: NewEnvironment | null): number | null {
  if (environment === null) return null;
  const { hash, text } = environment;
  const found = connection
    .sql('SELECT id FROM environments WHERE hash = ? AND variables = ?')
    .get(hash, text);
  if (found) return Number(found.id);
  const added = connection.sql('INSERT INTO environments (hash, variables) VALUES (?, ?)').run(hash, text);
  return Number(added.lastInsertRowid);
}

/** The same by its text, for jobs that come from another store. */
export const keepText = (connection: Connection, text: string | null): number | null =>
  keepEnvironment(connection, text === null ? null : newEnvironment(text));

export function textOf(connection: Connection, id: number | null): string | null {
  if (id === null) return null;
  const row = connection.sql('SELECT variables FROM environments WHERE id = ?').get(id);
  return row ? String(row.variables) : null;
}

/** For a claim, which meets the same few again and again. */
export function variablesOf(connection: Connection, id: number | null): Variables | null {
  if (id === null) return null;
  const known = connection.environments.get(id);
  if (known) return known;
  const text = textOf(connection, id);
  return text === null ? null : connection.environments.add(id, text);
}

function environmentOfJob(connection: Connection, jobId: string): Variables | null {
  const row = connection
    .sql(
      `SELECT e.variables FROM jobs j JOIN environments e ON e.id = j.environment_id
       WHERE j.id = ?`,
    )
    .get(jobId);
  return row ? variablesIn(String(row.variables)) : null;
}

const UNUSED = `
  SELECT e.id, NOT EXISTS (SELECT 1 FROM jobs WHERE environment_id = e.id)
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE environment_id = e.id) AS is_unused
  FROM environments e WHERE e.id > ? ORDER BY e.id LIMIT ?`;

/** Looks without a lock first: there is rarely anything to remove. */
async function sweepEnvironments(connection: Connection, after: number, limit: number): Promise<Swept> {
  const look = () => connection.sql(UNUSED).all(after, limit);
  const seen = await connection.read(look);
  const next = seen.length < limit ? 0 : Number(seen.at(-1)?.id);
  if (!seen.some((row) => row.is_unused)) return { removed: 0, next };
  return connection.write(() => {
    const unused = look().filter((row) => row.is_unused);
    for (const { id } of unused) connection.sql('DELETE FROM environments WHERE id = ?').run(id as number);
    return { removed: unused.length, next };
  });
}

export const environmentsOf = (connection: Connection): Environments => ({
  ofJob: (jobId) => connection.read(() => environmentOfJob(connection, jobId)),
  sweep: (after, limit) => sweepEnvironments(connection, after, limit),
});
