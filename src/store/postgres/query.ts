// Single jobs and their attempts, by id.

import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import { ambiguous, inOrderOf, JOB_COLUMNS, JOBS } from '../sql/job-sql.ts';
import { attemptOf, jobOf } from '../rows/rows.ts';
import type { JobFilter } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { matching } from './list.ts';

export async function get(connection: Connection, id: string): Promise<Job | null> {
  if (id.includes('\0')) return null; // which no text of PostgreSQL holds
  const { rows } = await connection.query(`SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.id = $1`, [id]);
  return rows[0] ? jobOf(rows[0]) : null;
}

const NAMED = `
  SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.seq = (
    SELECT seq FROM jobs WHERE name = $1 ORDER BY coalesce(group_name = $2, false) DESC, seq DESC LIMIT 1)`;

export async function findNamed(
  connection: Connection,
  name: string,
  group: string | null,
): Promise<Job | null> {
  if (name.includes('\0')) return null;
  const { rows } = await connection.query(NAMED, [name, group]);
  return rows[0] ? jobOf(rows[0]) : null;
}

/** In the order of the ids. */
export async function getAll(
  session: Session,
  ids: readonly string[],
  filter: JobFilter = {},
): Promise<Job[]> {
  const { where, values } = matching(filter);
  const { rows } = await session.sql(
    `SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where} AND j.id = ANY($${values.length + 1}::text[])`,
    [...values, ids],
  );
  return inOrderOf(ids, rows.map(jobOf));
}

/** The job itself, or a few whose ids start with the text. Ids are ASCII, so '~' sorts after all of them. */
const FIND = `
  SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.seq = ANY(ARRAY(
    (SELECT seq FROM jobs WHERE id = $1)
    UNION ALL
    (SELECT seq FROM jobs WHERE $1 <> '' AND id > $1 AND id < $1 || '~' ORDER BY id LIMIT 4)))
  ORDER BY j.id`;

export async function find(connection: Connection, idOrPrefix: string): Promise<Job> {
  const { rows } = idOrPrefix.includes('\0') ? { rows: [] } : await connection.query(FIND, [idOrPrefix]);
  const [first] = rows;
  if (!first) throw new QueueError('job_not_found', { id: idOrPrefix });
  if (first.id === idOrPrefix || rows.length === 1) return jobOf(first);
  throw ambiguous(
    idOrPrefix,
    rows.map((row) => String(row.id)),
  );
}

export async function history(connection: Connection, id: string): Promise<Attempt[]> {
  if (id.includes('\0')) return [];
  const { rows } = await connection.query(
    'SELECT * FROM attempts WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) ORDER BY number',
    [id],
  );
  return rows.map(attemptOf);
}
