// Many jobs at once, by filter, in an order. What a filter means is data in src/store/sql/job-filter.ts.

import type { Job } from '../../job/job.ts';
import {
  type Condition,
  conditionsOf,
  endOfPrefix,
  isNewestPerState,
  isOneWord,
  patternOf,
} from '../sql/job-filter.ts';
import { directionOf, JOB_COLUMNS, JOBS, orderOf } from '../sql/job-sql.ts';
import { jobOf, type Row } from '../rows/rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';
import type { Connection } from './connection.ts';

export function list(connection: Connection, query: ListQuery): Job[] {
  const { where, values } = hasShortCut(query) ? newestPerState(query) : matching(query);
  const rows = connection
    .sql(
      `SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? -1}`,
    )
    .all(...values) as Row[];
  return rows.map(jobOf);
}

/** As one JSON text: a row for each id would take ten times the memory. */
export function idsOf(connection: Connection, query: ListQuery): string[] {
  const { where, values } = matching(query);
  const row = connection
    .sql(
      `SELECT json_group_array(id) AS ids FROM (
        SELECT j.id FROM jobs j WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? -1})`,
    )
    .get(...values);
  return JSON.parse(String(row?.ids)) as string[];
}

/**
 * Ids to look up one by one, joined with CROSS JOIN: left to itself, SQLite would go through all jobs of a state that is
 * asked for as well.
 */
export const givenIds = (): string => '(SELECT DISTINCT value AS wanted FROM json_each(?)) given';

interface Where {
  readonly where: string;
  readonly values: readonly (string | number)[];
}

/** Without any filter the newest jobs are at the end of the table itself. */
const hasShortCut = (query: ListQuery): boolean => isNewestPerState(query) && conditionsOf(query).length > 0;

/** The ends of the (state, queue) ranges of the index, instead of a scan of the table. */
function newestPerState(query: ListQuery): Where {
  const direction = directionOf(query);
  const { where, values } = matching(query, 'c');
  return {
    where: `j.seq IN (
      SELECT e.seq FROM counters c CROSS JOIN jobs e ON e.seq IN (
        SELECT seq FROM jobs WHERE state = c.state AND queue = c.queue
        ORDER BY seq ${direction} LIMIT ${query.limit ?? -1})
      WHERE c.n > 0 AND ${where})`,
    values,
  };
}

export const matching = (filter: JobFilter, table = 'j'): Where => whereAll(conditionsOf(filter), table);

export function whereAll(conditions: readonly Condition[], table: string): Where {
  const parts = conditions.map((condition) => whereOf(condition, table));
  return {
    where: ['1', ...parts.map(({ where }) => where)].join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

function whereOf({ columns, compares, ...condition }: Condition, table: string): Where {
  const values = condition.values as Value[]; // but for 'is set', which binds none
  const named = columns.map((column) => `${table}.${column}`);
  switch (compares) {
    case 'our word':
      return { where: isOneWord(String(named[0]), values.map(String)), values: [] };
    case 'one of':
      return { where: `${named[0]} IN (${placesFor(values)})`, values };
    case 'tagged':
      return {
        where: `${named[0]} IN (SELECT job_seq FROM tags WHERE tag IN (${placesFor(values)}))`,
        values,
      };
    case 'is set':
      return { where: `${named[0]} IS ${values[0] ? 'NOT ' : ''}NULL`, values: [] };
    case 'contains':
      return anyOf(
        named,
        values,
        (column) => `${column} LIKE ? ESCAPE '\\'`,
        (value) => [patternOf(value)],
      );
    case 'starts with':
      return anyOf(
        named,
        values,
        (column) => `(${column} >= ? AND ${column} < ?)`,
        (value) => [value, endOfPrefix(String(value))],
      );
    default:
      return { where: `coalesce(${named.join(', ')}) ${compares === 'before' ? '<' : '>='} ?`, values };
  }
}

const placesFor = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

type Value = string | number;

/** A match of any column with any value. */
function anyOf(
  columns: readonly string[],
  values: readonly Value[],
  compare: (column: string) => string,
  given: (value: Value) => Value[],
): Where {
  const pairs = columns.flatMap((column) => values.map((value) => ({ column, value })));
  return {
    where: `(${pairs.map(({ column }) => compare(column)).join(' OR ') || '0'})`,
    values: pairs.flatMap(({ value }) => given(value)),
  };
}
