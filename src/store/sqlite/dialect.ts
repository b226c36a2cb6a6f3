// SQLite's SQL dialect. Lists are bound as one JSON text.

import type { Dialect } from '../sql/dialect.ts';
import { join, raw, type Sql, sql } from '../sql/statement.ts';

/**
 * Up to this many values are bound separately, which SQLite plans better. Each number of values has its own prepared
 * statement.
 */
const FEW = 8;

const eachOf = (values: readonly (string | number)[]): Sql =>
  sql`SELECT value FROM json_each(${JSON.stringify(values)})`;

const distinct = (values: readonly string[]): Sql => sql`SELECT DISTINCT value FROM (${eachOf(values)})`;

export const DIALECT: Dialect = {
  place: () => '?',
  integer: (value) => sql`CAST(${value} AS INTEGER)`, // node:sqlite binds every number as a real
  limit: (count) => sql`LIMIT 0 + ${count ?? -1}`, // a bare parameter would be planned again for each value
  isAmong: (column, _, values) => sql`${raw(column)} IN (${values.length > FEW ? eachOf(values) : join(values, ', ')})`,
  isSame: (column, value) => sql`${raw(column)} IS ${value}`,
  given: (name, columns, rows) => {
    const cells = Object.keys(columns).map((column, i) => `value ->> ${i} AS ${column}`);
    return sql`(SELECT ${raw(cells.join(', '))} FROM json_each(${JSON.stringify(rows)})) ${raw(name)}`;
  },
  isLike: (column, pattern) => sql`${raw(column)} LIKE ${pattern} ESCAPE '\\'`,
  isStorable: () => true,
  isFoundBy: (column, query) => sql`${raw(column)} IN (${query})`,
  withEach: (each, query) => sql`${each} CROSS JOIN jobs e ON e.seq IN (${query})`,
  /** CROSS JOIN fixes the join order. Otherwise SQLite might scan all rows that match another condition. */
  lookUp: (from, column, wanted) => ({
    from: sql`(${'texts' in wanted ? wanted : distinct(wanted)}) wanted CROSS JOIN ${raw(from)}`,
    where: raw(`${column} = wanted.value`),
  }),
  jsonList: (column) => raw(`json_group_array(${column})`),
  useIndex: (name) => raw(`INDEXED BY ${name}`),
  lockingFree: raw(''), // SQLite has a single writer
  locking: raw(''),
  lockTable: () => [],
  rowId: 'rowid',
  counts: raw('SELECT queue, state, n FROM counters WHERE n > 0'),
};
