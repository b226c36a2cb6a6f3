// Work that one process does at a time, under an advisory lock.

import type { Connection, Session } from './connection.ts';
import { mayNotWrite } from './failures.ts';
import { type Chore, lockOf } from './names.ts';

/** Waits for other transactions that hold this lock, and holds it until the end of the transaction. */
export const lockFor = ({ target }: Connection, session: Session, chore: Chore): void =>
  session.send('SELECT pg_advisory_xact_lock($1, $2)', lockOf(target.schema, chore));

/**
 * Does not wait: returns null if another process does the work, or if this role may only read. Doing the work twice must be
 * harmless.
 */
export async function writeExclusively<T>(
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
