// Many jobs at once, by filter, in an order. What a filter means is data in src/store/job-filter.ts.

import type { Job } from '../../job/job.ts';
import { type Condition, conditionsOf, isNewestPerState, patternOf } from '../job-filter.ts';
import { directionOf, JOBS, orderOf } from '../job-sql.ts';
import { jobOf } from '../rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';
import { type Connection, LONG_MS } from './connection.ts';
import { COUNTS } from './counters.ts';

/** Whether its cost does not grow with the queue. */
export const isShort = (query: ListQuery): boolean => isNewestPerState(query);

export async function list(connection: Connection, query: ListQuery): Promise<Job[]> {
  const { where, values } = hasShortCut(query) ? newestPerState(query) : matching(query);
  const limit = query.limit === null ? 'ALL' : String(query.limit);
  const statement = `SELECT j.*, a.log_path FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${limit}`;
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

/** Without any filter the newest jobs stand at the end of the table itself. */
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

type Parameter = (value: unknown) => string;

export function matching(filter: JobFilter, table = 'j'): Where {
  const values: unknown[] = [];
  const parameter: Parameter = (value) => `$${values.push(value)}`;
  const conditions = conditionsOf(filter).map((condition) => whereOf(condition, table, parameter));
  return { where: ['true', ...conditions].join(' AND '), values };
}

function whereOf({ columns, compares, values }: Condition, table: string, parameter: Parameter): string {
  if (values.some((value) => value.includes('\0'))) return 'false'; // no text of PostgreSQL holds a NUL
  const [first, ...others] = columns.map((column) => `${table}.${column}`);
  const [value = ''] = values;
  if (compares === 'one of') return `${first} = ANY(${parameter([...values])}::text[])`;
  if (compares === 'equals') return `${first} = ${parameter(value)}::text`;
  const pattern = parameter(patternOf(value));
  return `(${[first, ...others].map((text) => `${text} ILIKE ${pattern}::text`).join(' OR ')})`;
}
