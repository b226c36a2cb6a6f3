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
import { jobOf } from '../rows/rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';
import { type Connection, LONG_MS } from './session/connection.ts';
import { COUNTS } from './counters.ts';

/** Whether its cost does not grow with the queue. */
export const isShort = (query: ListQuery): boolean => isNewestPerState(query);

export async function list(connection: Connection, query: ListQuery): Promise<Job[]> {
  const { where, values } = hasShortCut(query) ? newestPerState(query) : matching(query);
  const limit = query.limit === null ? 'ALL' : String(query.limit);
  const statement = `SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${limit}`;
  const { rows } = isShort(query)
    ? await connection.query(statement, values)
    : await connection.read((session) => session.sql(statement, values), LONG_MS);
  return rows.map(jobOf);
}

/** As one JSON text: a row for each id would take ten times the memory. */
export async function idsOf(connection: Connection, query: ListQuery): Promise<string[]> {
  const { where, values } = matching(query);
  const statement = `
    SELECT coalesce(json_agg(id), '[]')::text AS ids FROM (
      SELECT j.id FROM jobs j WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? 'ALL'}) ordered`;
  const { rows } = await connection.read((session) => session.sql(statement, values), LONG_MS);
  return JSON.parse(String(rows[0]?.ids)) as string[];
}

interface Where {
  readonly where: string;
  readonly values: unknown[];
}

/** Without any filter the newest jobs are at the end of the table itself. */
const hasShortCut = (query: ListQuery): boolean => isNewestPerState(query) && conditionsOf(query).length > 0;

/** The ends of the (state, queue) ranges of the index, instead of a scan of the table. */
function newestPerState(query: ListQuery): Where {
  const direction = directionOf(query);
  const { where, values } = matching(query, 'c');
  return {
    where: `j.seq = ANY(ARRAY(
      SELECT e.seq FROM (${COUNTS}) c CROSS JOIN LATERAL (
        SELECT seq FROM jobs WHERE state = c.state AND queue = c.queue
        ORDER BY seq ${direction} LIMIT ${query.limit}) e
      WHERE ${where} ORDER BY e.seq ${direction} LIMIT ${query.limit}))`,
    values,
  };
}

export type Parameter = (value: unknown) => string;

/** `before` are the values of parameters that the statement has already. */
export function matching(filter: JobFilter, table = 'j', before: readonly unknown[] = []): Where {
  const values = [...before];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  return { where: whereAll(conditionsOf(filter), table, parameter), values };
}

export const whereAll = (conditions: readonly Condition[], table: string, parameter: Parameter): string =>
  ['true', ...conditions.map((condition) => whereOf(condition, table, parameter))].join(' AND ');

function whereOf({ columns, compares, values }: Condition, table: string, parameter: Parameter): string {
  const named = columns.map((column) => `${table}.${column}`);
  const storable = values.filter((value) => !String(value).includes('\0')); // no text of PostgreSQL holds a NUL
  switch (compares) {
    case 'our word':
      return isOneWord(String(named[0]), values.map(String));
    case 'tagged':
      return `${named[0]} IN (SELECT job_seq FROM tags WHERE tag = ANY(${parameter(storable)}::text[]))`;
    case 'is set':
      return `${named[0]} IS ${values[0] ? 'NOT ' : ''}NULL`;
    case 'one of':
      return `${named[0]} = ANY(${parameter(storable)}::text[])`;
    case 'contains': {
      const patterns = parameter(storable.map(patternOf));
      return `(${named.map((column) => `${column} ILIKE ANY(${patterns}::text[])`).join(' OR ')})`;
    }
    case 'starts with':
      return `(${['false', ...storable.map((value) => startsWith(named[0] ?? '', value, parameter))].join(' OR ')})`;
    default:
      return `coalesce(${named.join(', ')}) ${compares === 'before' ? '<' : '>='} ${parameter(values[0])}::bigint`;
  }
}

const startsWith = (column: string, value: unknown, parameter: Parameter): string =>
  `(${column} >= ${parameter(value)}::text AND ${column} < ${parameter(endOfPrefix(String(value)))}::text)`;
