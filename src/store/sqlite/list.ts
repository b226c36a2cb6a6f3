// Many jobs at once, by filter, in an order. What a filter means is data in src/store/job-filter.ts.

import type { Job } from '../../job/job.ts';
import { type Condition, conditionsOf, isNewestPerState, patternOf } from '../job-filter.ts';
import { directionOf, JOBS, orderOf } from '../job-sql.ts';
import { jobOf, quoted, type Row } from '../rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';
import type { Connection } from './connection.ts';

export function list(connection: Connection, query: ListQuery): Job[] {
  const { where, values } = hasShortCut(query) ? newestPerState(query) : matching(query);
  const rows = connection
    .sql(
      `SELECT j.*, a.log_path FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? -1}`,
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

/** The seqs of all jobs that match, for changes to many at once. */
export function matchingSeqs(connection: Connection, filter: JobFilter): number[] {
  const { where, values } = matching(filter);
  const rows = connection.sql(`SELECT j.seq FROM jobs j WHERE ${where} ORDER BY j.seq`).all(...values);
  return rows.map((row) => Number(row.seq));
}

interface Where {
  readonly where: string;
  readonly values: readonly string[];
}

/** Without any filter the newest jobs stand at the end of the table itself. */
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

export function matching(filter: JobFilter, table = 'j'): Where {
  const parts = conditionsOf(filter).map((condition) => whereOf(condition, table));
  return {
    where: ['1', ...parts.map(({ where }) => where)].join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

function whereOf({ columns, compares, values }: Condition, table: string): Where {
  const [first, ...others] = columns.map((column) => `${table}.${column}`);
  const [value = ''] = values;
  if (compares === 'one of') return { where: `${first} IN (${quoted(values)})`, values: [] };
  if (compares === 'equals') return { where: `${first} = ?`, values: [value] };
  const texts = [first, ...others].map((text) => `${text} LIKE ? ESCAPE '\\'`);
  return { where: `(${texts.join(' OR ')})`, values: texts.map(() => patternOf(value)) };
}
