// Lists of jobs, filtered and sorted.

import type { Job } from '../../job/job.ts';
import type { JobFilter, ListQuery } from '../port/list.ts';
import { jobOf } from '../rows/rows.ts';
import type { Database } from '../sql/database.ts';
import type { Dialect } from '../sql/dialect.ts';
import { conditionsOf, isNewestPerState } from '../sql/job-filter.ts';
import { directionOf, JOB_COLUMNS, JOBS, orderOf } from '../sql/job-sql.ts';
import { matching } from '../sql/matching.ts';
import { raw, type Sql, sql } from '../sql/statement.ts';

export async function list(database: Database, query: ListQuery): Promise<Job[]> {
  const { dialect } = database;
  const where = hasShortCut(query) ? newestPerState(dialect, query) : matching(dialect, query);
  const jobs = sql`SELECT ${raw(JOB_COLUMNS)} FROM ${raw(JOBS)} WHERE ${where} ${ordered(dialect, query)}`;
  return (await database.rows(jobs, { isLong: !isNewestPerState(query) })).map(jobOf);
}

/** Reads the IDs as one JSON text, because one row for each ID would take ten times the memory. */
export async function idsOf(database: Database, query: ListQuery): Promise<string[]> {
  const { dialect } = database;
  const ids = sql`SELECT j.id FROM jobs j WHERE ${matching(dialect, query)} ${ordered(dialect, query)}`;
  const found = sql`SELECT ${dialect.jsonList('id')} AS ids FROM (${ids}) ordered`;
  const [row] = await database.rows(found, { isLong: true });
  return JSON.parse(String(row?.ids)) as string[];
}

const ordered = (dialect: Dialect, query: ListQuery): Sql =>
  sql`ORDER BY ${raw(orderOf(query))} ${dialect.limit(query.limit)}`;

/** Without a filter, the newest jobs are simply at the end of the table. */
const hasShortCut = (query: ListQuery): boolean => isNewestPerState(query) && conditionsOf(query).length > 0;

/** Reads the ends of the (state, queue) ranges of the index instead of the whole table. */
function newestPerState(dialect: Dialect, query: ListQuery): Sql {
  const end = sql`ORDER BY seq ${raw(directionOf(query))} ${dialect.limit(query.limit)}`;
  const ofCounter = sql`SELECT seq FROM jobs WHERE state = c.state AND queue = c.queue ${end}`;
  const found = dialect.withEach(sql`(${dialect.counts}) c`, ofCounter);
  return dialect.isFoundBy(
    'j.seq',
    sql`SELECT e.seq FROM ${found} WHERE ${matching(dialect, query as JobFilter, 'c')}`,
  );
}
