// Counters are sums of differences. They are folded from time to time, or the sums would get long.

import type { Connection } from './session/connection.ts';
import { writeExclusively } from './session/exclusive.ts';

/** The number of jobs by queue and state, without zeros. */
export const COUNTS = `
  SELECT queue, state, sum(n)::bigint AS n FROM counters GROUP BY queue, state HAVING sum(n) > 0`;

/** More rows than this are worth folding: summing them takes about a millisecond. */
const WORTH_FOLDING = 1000;

export async function areWorthFolding(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`SELECT count(*) > ${WORTH_FOLDING} AS are_many FROM counters`);
  return Boolean(rows[0]?.are_many);
}

const foldOf = (table: string, column: string): string => `
  WITH gone AS (DELETE FROM ${table} RETURNING ${column}, state, n)
  INSERT INTO ${table} SELECT ${column}, state, sum(n) FROM gone GROUP BY ${column}, state HAVING sum(n) <> 0`;
const FOLD = foldOf('counters', 'queue');
const FOLD_GROUPS = foldOf('group_counters', 'group_name');

/** Reduces the counters to one row for each queue or group and state. */
export async function fold(connection: Connection): Promise<void> {
  await writeExclusively(connection, 'fold counters', (session) =>
    Promise.all([session.sql(FOLD), session.sql(FOLD_GROUPS)]),
  );
}
