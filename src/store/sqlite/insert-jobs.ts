// The statements that make jobs of given values, and the error when an id is taken. A statement opens every index of the
// table, which costs as much as a row: so one inserts several. If a row is refused the statement leaves no trace, and its halves
// are tried, down to that row.

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

/** How many rows a statement may insert, the most first; half of each is one, too. */
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

/** Jobs that wait for nothing but their time. Within a transaction, which must not be committed when this throws. */
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

/** `before`: how many jobs came before these. */
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

export const taken = (id: string, position: number): QueueError =>
  new QueueError('job_exists', { id, position });
