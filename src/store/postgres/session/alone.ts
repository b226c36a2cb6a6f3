// Chores that one process does at a time, under an advisory lock that nobody waits for.

import type { Connection, Session } from './connection.ts';
import { mayNotWrite } from './failures.ts';
import { type Chore, lockOf } from './names.ts';

/** Doing the work twice must be harmless. Returns null if another process does it, or if this role may only read. */
export async function writeAlone<T>(
  connection: Connection,
  chore: Chore,
  work: (session: Session) => Promise<T>,
): Promise<T | null> {
  const lock = lockOf(connection.target.schema, chore);
  try {
    return await connection.write(
      async (session) => {
        const { rows } = await session.sql('SELECT pg_try_advisory_xact_lock($1, $2) AS got', lock);
        return rows[0]?.got ? work(session) : null;
      },
      { isRepeatable: true },
    );
  } catch (error) {
    if (mayNotWrite(error)) return null;
    throw error;
  }
}
