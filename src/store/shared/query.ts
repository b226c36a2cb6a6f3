// Single jobs and their attempts, by ID.

import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import type { JobFilter } from '../port/list.ts';
import { attemptOf, jobOf } from '../rows/rows.ts';
import { type Database, rowsOf, type Steps } from '../sql/database.ts';
import type { Dialect } from '../sql/dialect.ts';
import { endOfPrefix } from '../sql/job-filter.ts';
import { ambiguous, inOrderOf, JOB_COLUMNS, JOBS } from '../sql/job-sql.ts';
import { matching } from '../sql/matching.ts';
import { raw, type Sql, sql } from '../sql/statement.ts';

const jobsWhere = (where: Sql): Sql => sql`SELECT ${raw(JOB_COLUMNS)} FROM ${raw(JOBS)} WHERE ${where}`;

export async function get(database: Database, id: string): Promise<Job | null> {
  const [row] = await database.rows(jobsWhere(sql`j.id = ${id}`));
  return row ? jobOf(row) : null;
}

export async function findNamed(database: Database, name: string, group: string | null): Promise<Job | null> {
  if (!database.dialect.isStorable(name)) return null;
  const isOfGroup = sql`CASE WHEN group_name = ${group} THEN 1 ELSE 0 END`;
  const newest = sql`SELECT seq FROM jobs WHERE name = ${name} ORDER BY ${isOfGroup} DESC, seq DESC LIMIT 1`;
  const [row] = await database.rows(jobsWhere(sql`j.seq = (${newest})`));
  return row ? jobOf(row) : null;
}

/** Reads the job with this ID, or a few jobs whose IDs start with the text, in one statement. */
export async function find(database: Database, idOrPrefix: string): Promise<Job> {
  const after = sql`id > ${idOrPrefix} AND id < ${endOfPrefix(idOrPrefix)}`;
  const few = sql`SELECT seq FROM (SELECT seq FROM jobs WHERE ${after} ORDER BY id LIMIT 4) few`;
  const exact = sql`SELECT seq FROM jobs WHERE id = ${idOrPrefix}`;
  const found = idOrPrefix === '' ? exact : sql`${exact} UNION ALL ${few}`;
  const rows = await database.rows(sql`${jobsWhere(database.dialect.isFoundBy('j.seq', found))} ORDER BY j.id`);
  const [first] = rows;
  if (!first) throw new QueueError('job_not_found', { id: idOrPrefix });
  if (first.id === idOrPrefix || rows.length === 1) return jobOf(first);
  throw ambiguous(
    idOrPrefix,
    rows.map(({ id }) => String(id)),
  );
}

export const getAll = (database: Database, ids: readonly string[], filter: JobFilter): Promise<Job[]> =>
  database.read(() => jobsWith(database.dialect, ids, filter), { isLong: true });

/** Returns the jobs with these IDs that match the filter, in the order of the IDs. */
export function* jobsWith(dialect: Dialect, ids: readonly string[], filter: JobFilter = {}): Steps<Job[]> {
  const { from, where } = dialect.lookUp(JOBS, 'j.id', ids);
  const rows = yield* rowsOf(sql`
    SELECT ${raw(JOB_COLUMNS)} FROM ${from} WHERE ${where} AND ${matching(dialect, filter)}`);
  return inOrderOf(ids, rows.map(jobOf));
}

export async function history(database: Database, id: string): Promise<Attempt[]> {
  const attempts = sql`SELECT * FROM attempts WHERE job_seq = (SELECT seq FROM jobs WHERE id = ${id})`;
  return (await database.rows(sql`${attempts} ORDER BY number`)).map(attemptOf);
}
