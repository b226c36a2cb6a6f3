// PostgreSQL's SQL where it differs. Lists are bound as arrays.

import type { Dialect } from '../sql/dialect.ts';
import { join, raw, sql, type Value } from '../sql/statement.ts';
import { COUNTS } from './counters.ts';
import { columnsOf } from './rows.ts';

export const DIALECT: Dialect = {
  place: (n) => `$${n}`,
  integer: (value) => sql`${value}::bigint`,
  limit: (count) => sql`LIMIT ${count}`, // null means all
  isAmong: (column, type, values) => sql`${raw(column)} = ANY(${values.filter(isStorable)}::${raw(type)}[])`,
  /** A comparison with null would keep an index from being used. */
  isSame: (column, value) => (value === null ? raw(`${column} IS NULL`) : sql`${raw(column)} = ${value}`),
  given: (name, columns, rows) => {
    const [names, types] = [Object.keys(columns), Object.values(columns)];
    const lists = columnsOf(rows, names.length) as Value[];
    const unnested = lists.map((list, i) => sql`${list}::${raw(types[i] ?? '')}[]`);
    const cells = names.map((one, i) => (types[i] === 'text' ? `${one} COLLATE "C" AS ${one}` : one));
    const from = join(unnested, ', ');
    return sql`(SELECT ${raw(cells.join(', '))} FROM unnest(${from}) AS cells (${raw(names.join(', '))})) ${raw(name)}`;
  },
  useIndex: () => raw(''), // the planner has statistics
  lockingFree: raw('FOR UPDATE SKIP LOCKED'),
  counts: raw(COUNTS),
};

/** No text of PostgreSQL holds a NUL, so nothing equals one that does. */
const isStorable = (value: string | number): boolean => !String(value).includes('\0');
