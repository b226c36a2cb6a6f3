// Inserting jobs by value, and the error for a taken ID. One statement inserts several rows, because opening every
// index of the table costs as much as a row. If a statement fails, it changes nothing; its halves are tried then, down
// to the row with the taken ID.

import { QueueError } from '../../errors/errors.ts';
import { isDue } from '../../job/due.ts';
import { FIRST_STATE, freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { FLOW_COLUMNS, NEW_JOB_COLUMNS, newJobValues } from '../rows/new-job-rows.ts';
import type { Connection } from './connection.ts';
import { isConstraint } from './failures.ts';

export const COLUMNS = NEW_JOB_COLUMNS.join(', ');
export const ALL_COLUMNS = [...NEW_JOB_COLUMNS, ...FLOW_COLUMNS].join(', ');
export const placesFor = (columns: string): string => columns.split(', ').fill('?').join();

type Row = ReturnType<typeof newJobValues>;

/** Numbers of rows in a statement, largest first. Half of each size is a size too. */
const SIZES = [16, 8, 4, 2, 1];
const PLACES = `(${placesFor(COLUMNS)}, ?, '${FIRST_STATE}', ?, ?, ?, ?)`;
const INSERTS = new Map<number, string>();

function insertOf(size: number): string {
  const known = INSERTS.get(size);
  if (known !== undefined) return known;
  const insert = `
    INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
    VALUES ${Array(size).fill(PLACES).join(', ')}`;
  INSERTS.set(size, insert);
  return insert;
}

/**
 * Inserts jobs that wait for nothing except their start time. Runs within a transaction that must be rolled back if
 * this throws.
 */
export function insertPlain(
  connection: Connection,
  jobs: readonly NewJob[],
  environmentId: number | null,
  now: number,
): Job[] {
  const fresh = jobs.map((job) => freshJob(job, now));
  const rows = jobs.map((job, i) => rowOf(job, fresh[i]?.nextRunAt ?? null, environmentId, now));
  for (let at = 0; at < rows.length; ) {
    const size = SIZES.find((size) => size <= rows.length - at) ?? 1;
    insertRows(connection, rows.slice(at, at + size), at);
    at += size;
  }
  return fresh;
}

const rowOf = (job: NewJob, nextRunAt: number | null, environmentId: number | null, now: number): Row => [
  ...newJobValues(job),
  environmentId,
  isDue(nextRunAt, now) ? 1 : 0,
  nextRunAt,
  now,
  now,
];

/** `before` is the number of jobs before these rows. */
function insertRows(connection: Connection, rows: readonly Row[], before: number): void {
  try {
    connection.sql(insertOf(rows.length)).run(...rows.flat());
  } catch (error) {
    if (!isConstraint(error)) throw error;
    if (rows.length === 1) throw taken(String(rows[0]?.[0]), before + 1);
    const half = rows.length / 2;
    insertRows(connection, rows.slice(0, half), before);
    insertRows(connection, rows.slice(half), before + half);
  }
}

export const taken = (id: string, position: number): QueueError => new QueueError('job_exists', { id, position });
