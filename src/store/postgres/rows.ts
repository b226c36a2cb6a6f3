// Values for statements of PostgreSQL.

import { raw, type Sql, sql } from '../sql/statement.ts';
import type { Connection, Session } from './session/connection.ts';

const SERVER_TIME = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint';

/** The time of a statement: the parameter, which tests set, or the server's clock. */
export const now = (parameter: string): string => `coalesce(${parameter}::bigint, ${SERVER_TIME})`;

/** The time of a statement as SQL with its value. null: the server's clock. */
export const currentTime = (given: number | null): Sql => sql`coalesce(${given}::bigint, ${raw(SERVER_TIME)})`;

/** The time of the next statement of a transaction. */
export async function currentTimeIn({ givenNow }: Connection, session: Session): Promise<number> {
  const { rows } = await session.sql(`SELECT ${now('$1')} AS now`, [givenNow]);
  return Number(rows[0]?.now);
}

/** A text in PostgreSQL cannot contain NUL. (The driver replaces lone surrogates.) */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

/** One array, for unnest() or ANY(). */
export const arrayOf = (values: readonly unknown[]): unknown =>
  columnsOf(
    values.map((value) => [value]),
    1,
  )[0];

/** One array for each column, for unnest(). */
export const columnsOf = (rows: readonly (readonly unknown[])[], width: number): unknown[] =>
  Array.from({ length: width }, (_, i) => columnOf(rows, i));

export const seqsOf = (rows: readonly { readonly seq: number }[]): number[] => rows.map(({ seq }) => seq);

/** The text form of a PostgreSQL array. Formatting in the driver took a sixth of our CPU time; it still formats bytes. */
function columnOf(rows: readonly (readonly unknown[])[], i: number): unknown {
  let elements = '';
  for (const row of rows) {
    const value = row[i];
    if (Buffer.isBuffer(value)) return rows.map((one) => one[i]);
    elements += elements === '' ? elementOf(value) : `,${elementOf(value)}`;
  }
  return `{${elements}}`;
}

function elementOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value === null || value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}
