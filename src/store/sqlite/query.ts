// Single jobs and their attempts, by id.

import { QueueError } from '../../errors/errors.ts';
import type { Attempt, Job } from '../../job/job.ts';
import { ambiguous, inOrderOf, JOB_COLUMNS, JOBS } from '../sql/job-sql.ts';
import { attemptOf, jobOf, type Row } from '../rows/rows.ts';
import type { JobFilter } from '../store.ts';
import type { Connection } from './connection.ts';
import { givenIds, matching } from './list.ts';

export function get(connection: Connection, id: string): Job | null {
  const row = connection.sql(`SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.id = ?`).get(id) as Row | undefined;
  return row ? jobOf(row) : null;
}

const NAMED = `
  SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE j.seq = (
    SELECT seq FROM jobs WHERE name = $name ORDER BY coalesce(group_name = $group, 0) DESC, seq DESC LIMIT 1)`;

export function findNamed(connection: Connection, name: string, group: string | null): Job | null {
  const row = connection.sql(NAMED).get({ $name: name, $group: group }) as Row | undefined;
  return row ? jobOf(row) : null;
}

/** Ids that start with the prefix, a few of them. Ids are ASCII, so '~' sorts after every one of them. */
function idsStartingWith(connection: Connection, prefix: string): string[] {
  const rows = connection
    .sql('SELECT id FROM jobs WHERE id >= ? AND id < ? ORDER BY id LIMIT 4')
    .all(prefix, `${prefix}~`);
  return rows.map((row) => String(row.id));
}

export function find(connection: Connection, idOrPrefix: string): Job {
  const exact = get(connection, idOrPrefix);
  if (exact) return exact;
  const ids = idOrPrefix === '' ? [] : idsStartingWith(connection, idOrPrefix);
  if (ids.length > 1) throw ambiguous(idOrPrefix, ids);
  const only = ids[0] === undefined ? null : get(connection, ids[0]);
  if (!only) throw new QueueError('job_not_found', { id: idOrPrefix });
  return only;
}

export function getAll(connection: Connection, ids: readonly string[], filter: JobFilter): Job[] {
  const { where, values } = matching(filter);
  const rows = connection
    .sql(`
      SELECT ${JOB_COLUMNS} FROM ${givenIds()} CROSS JOIN ${JOBS} WHERE j.id = given.wanted AND ${where}`)
    .all(JSON.stringify(ids), ...values) as Row[];
  return inOrderOf(ids, rows.map(jobOf));
}

export function history(connection: Connection, id: string): Attempt[] {
  const rows = connection
    .sql('SELECT * FROM attempts WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?) ORDER BY number')
    .all(id) as Row[];
  return rows.map(attemptOf);
}
