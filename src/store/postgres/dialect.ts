// The parts of SQL that are specific to PostgreSQL. Lists are bound as arrays.

import type { Dialect } from '../sql/dialect.ts';
import { join, raw, type Sql, sql, type Value } from '../sql/statement.ts';
import { COUNTS } from './counters.ts';
import { columnsOf } from './rows.ts';

/** A text in PostgreSQL cannot contain NUL. */
const isStorable = (text: string): boolean => !text.includes('\0');

const isAmong: Dialect['isAmong'] = (column, type, values) => {
  const storable = values.filter((value) => isStorable(String(value)));
  return sql`${raw(column)} = ANY(${storable}::${raw(type)}[])`;
};

const isFoundBy = (column: string, query: Sql): Sql => sql`${raw(column)} = ANY(ARRAY(${query}))`;

export const DIALECT: Dialect = {
  place: (n) => `$${n}`,
  integer: (value) => sql`${value}::bigint`,
  limit: (count) => sql`LIMIT ${count}`, // null means all
  isAmong,
  /** The planner uses no index for a comparison with a null parameter. */
  isSame: (column, value) => (value === null ? raw(`${column} IS NULL`) : sql`${raw(column)} = ${value}`),
  given: (name, columns, rows) => {
    const [names, types] = [Object.keys(columns), Object.values(columns)];
    const lists = columnsOf(rows, names.length) as Value[];
    const unnested = lists.map((list, i) => sql`${list}::${raw(types[i] ?? '')}[]`);
    return sql`unnest(${join(unnested, ', ')}) AS ${raw(name)} (${raw(names.join(', '))})`;
  },
  isLike: (column, pattern) => sql`${raw(column)} ILIKE ${pattern}`,
  isStorable,
  isFoundBy,
  withEach: (each, query) => sql`${each} CROSS JOIN LATERAL (${query}) e`,
  lookUp: (from, column, wanted) => ({
    from: raw(from),
    where: 'texts' in wanted ? isFoundBy(column, wanted) : isAmong(column, 'text', wanted),
  }),
  jsonList: (column) => raw(`coalesce(json_agg(${column}), '[]')::text`),
  useIndex: () => raw(''), // the planner has statistics
  lockingFree: raw('FOR UPDATE SKIP LOCKED'),
  locking: raw('FOR UPDATE'),
  lockTable: (name) => [raw(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)],
  rowId: 'ctid',
  counts: raw(COUNTS),
};
