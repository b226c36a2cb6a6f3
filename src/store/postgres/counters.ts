// Counters are sums of differences; somebody has to fold them, or the sums get long.

import type { Connection } from './session/connection.ts';
import { mayNotWrite } from './session/failures.ts';
import { lockOf } from './session/names.ts';

/** Jobs by queue and state, where there are any. */
export const COUNTS = `
  SELECT queue, state, sum(n)::bigint AS n FROM counters GROUP BY queue, state HAVING sum(n) > 0`;

/** More rows than this are worth folding: they take about a millisecond to sum. */
export const WORTH_FOLDING = 1000;

const foldOf = (table: string, column: string): string => `
  WITH gone AS (DELETE FROM ${table} RETURNING ${column}, state, n)
  INSERT INTO ${table} SELECT ${column}, state, sum(n) FROM gone GROUP BY ${column}, state HAVING sum(n) <> 0`;
const FOLD = foldOf('counters', 'queue');
const FOLD_GROUPS = foldOf('group_counters', 'group_name');

/** One row for each queue or group and state, unless somebody else is doing it. A role that may only read leaves them as they are. */
export async function fold(connection: Connection): Promise<void> {
  const lock = lockOf(connection.target.schema, 'fold counters');
  try {
    await connection.write(
      async (session) => {
        const { rows } = await session.sql('SELECT pg_try_advisory_xact_lock($1, $2) AS got', lock);
        if (!rows[0]?.got) return;
        await Promise.all([session.sql(FOLD), session.sql(FOLD_GROUPS)]);
      },
      { isRepeatable: true },
    );
  } catch (error) {
    if (!mayNotWrite(error)) throw error;
  }
}
