// Counters are sums of differences; somebody has to fold them, or the sums get long.

import type { Connection } from './connection.ts';
import { mayNotWrite } from './failures.ts';
import { lockOf } from './names.ts';

/** Jobs by queue and state, where there are any. */
export const COUNTS = `
  SELECT queue, state, sum(n)::bigint AS n FROM counters GROUP BY queue, state HAVING sum(n) > 0`;

/** More rows than this are worth folding: they take about a millisecond to sum. */
export const WORTH_FOLDING = 1000;

const FOLD = `
  WITH gone AS (DELETE FROM counters RETURNING queue, state, n)
  INSERT INTO counters SELECT queue, state, sum(n) FROM gone GROUP BY queue, state HAVING sum(n) <> 0`;

/** One row for each queue and state, if nobody else is at it. Whoever may only look leaves them as they are. */
export async function fold(connection: Connection): Promise<void> {
  const lock = lockOf(connection.target.schema, 'fold counters');
  try {
    await connection.write(
      async (session) => {
        const { rows } = await session.sql('SELECT pg_try_advisory_xact_lock($1, $2) AS got', lock);
        if (rows[0]?.got) await session.sql(FOLD);
      },
      { isRepeatable: true },
    );
  } catch (error) {
    if (!mayNotWrite(error)) throw error;
  }
}
