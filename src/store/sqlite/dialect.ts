// SQLite's SQL where it differs. Lists are bound as one JSON text.

import type { Dialect } from '../sql/dialect.ts';
import { raw, sql } from '../sql/statement.ts';

export const DIALECT: Dialect = {
  place: () => '?',
  integer: (value) => sql`CAST(${value} AS INTEGER)`, // the driver binds every number as a real
  limit: (count) => sql`LIMIT 0 + ${count ?? -1}`, // a bare parameter is planned anew for each value
  isAmong: (column, _, values) =>
    sql`${raw(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  isSame: (column, value) => sql`${raw(column)} IS ${value}`,
  given: (name, columns, rows) => {
    const cells = Object.keys(columns).map((column, i) => `value ->> ${i} AS ${column}`);
    return sql`(SELECT ${raw(cells.join(', '))} FROM json_each(${JSON.stringify(rows)})) ${raw(name)}`;
  },
  useIndex: (name) => raw(`INDEXED BY ${name}`),
  lockingFree: raw(''), // one writer at a time
  counts: raw('SELECT queue, state, n FROM counters WHERE n > 0'),
};
