// Filters as SQL. src/store/sql/job-filter.ts defines what each filter compares.

import type { JobFilter } from '../store.ts';
import type { Dialect } from './dialect.ts';
import { type Condition, conditionsOf, endOfPrefix, isOneWord, patternOf } from './job-filter.ts';
import { join, raw, type Sql, sql, type Value } from './statement.ts';

export const matching = (dialect: Dialect, filter: JobFilter, table = 'j'): Sql =>
  whereAll(dialect, conditionsOf(filter), table);

export const whereAll = (dialect: Dialect, conditions: readonly Condition[], table: string): Sql =>
  join([raw('true'), ...conditions.map((condition) => whereOf(dialect, condition, table))], ' AND ');

function whereOf(dialect: Dialect, { columns, compares, values }: Condition, table: string): Sql {
  const named = columns.map((column) => `${table}.${column}`);
  const [first = ''] = named;
  const texts = values.map(String).filter((text) => dialect.isStorable(text));
  switch (compares) {
    case 'our word':
      return raw(isOneWord(first, texts));
    case 'one of':
      return dialect.isAmong(first, 'text', texts);
    case 'tagged':
      return sql`${raw(first)} IN (SELECT job_seq FROM tags WHERE ${dialect.isAmong('tag', 'text', texts)})`;
    case 'is set':
      return raw(`${first} IS ${values[0] ? 'NOT ' : ''}NULL`);
    case 'contains':
      return anyOf(named, texts, (column, text) => dialect.isLike(column, patternOf(text)));
    case 'starts with':
      return anyOf(
        named,
        texts,
        (column, text) => sql`(${raw(column)} >= ${text} AND ${raw(column)} < ${endOfPrefix(text)})`,
      );
    default:
      return sql`coalesce(${raw(named.join(', '))}) ${raw(compares === 'before' ? '<' : '>=')} ${values[0] as Value}`;
  }
}

/** Matches any column with any value. */
function anyOf(
  columns: readonly string[],
  texts: readonly string[],
  compare: (column: string, text: string) => Sql,
): Sql {
  const pairs = columns.flatMap((column) => texts.map((text) => compare(column, text)));
  return pairs.length === 0 ? raw('false') : sql`(${join(pairs, ' OR ')})`;
}
