// What rows of PostgreSQL need beyond what all stores share.

import { raw, type Sql, sql } from '../sql/statement.ts';

const SERVER_TIME = 'floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint';

/** The time of a statement: a parameter for tests, else the server's clock. */
export const now = (parameter: string): string => `coalesce(${parameter}::bigint, ${SERVER_TIME})`;

/** The same with its value: null for the server's clock. */
export const currentTime = (given: number | null): Sql =>
  sql`coalesce(${given}::bigint, ${raw(SERVER_TIME)})`;

/** No text of PostgreSQL holds a NUL. (A lone surrogate becomes a replacement character on its way.) */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

/** Columns of values, for unnest(): one array a column. */
export const columnsOf = (rows: readonly (readonly unknown[])[], width: number): unknown[] =>
  Array.from({ length: width }, (_, i) => columnOf(rows, i));

/** The text form of a PostgreSQL array. The driver took a sixth of our CPU for it, and still does it for bytes. */
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
