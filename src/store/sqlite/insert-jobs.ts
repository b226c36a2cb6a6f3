// The statement that makes jobs of given values, and what is said when an id is taken.

import { QueueError } from '../../errors.ts';
import { isDue } from '../../job/due.ts';
import { FIRST_STATE, freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { FLOW_COLUMNS } from '../flow-columns.ts';
import { NEW_JOB_COLUMNS, newJobValues } from '../new-job-rows.ts';
import type { Connection } from './connection.ts';
import { isConstraint } from './failures.ts';

export const COLUMNS = NEW_JOB_COLUMNS.join(', ');
export const ALL_COLUMNS = [...NEW_JOB_COLUMNS, ...FLOW_COLUMNS].join(', ');
export const placesFor = (columns: string): string => columns.split(', ').fill('?').join();

const INSERT = `
  INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  VALUES (${placesFor(COLUMNS)}, ?, '${FIRST_STATE}', ?, ?, ?, ?)`;

/** Jobs that wait for nothing but their time. */
export function insertPlain(
  connection: Connection,
  jobs: readonly NewJob[],
  environmentId: number | null,
  now: number,
): Job[] {
  const insert = connection.sql(INSERT);
  return jobs.map((job, index) => {
    const fresh = freshJob(job, now);
    const { nextRunAt } = fresh;
    try {
      insert.run(...newJobValues(job), environmentId, isDue(nextRunAt, now) ? 1 : 0, nextRunAt, now, now);
    } catch (error) {
      throw isConstraint(error) ? taken(job.id, index + 1) : error;
    }
    return fresh;
  });
}

export const taken = (id: string, position: number): QueueError =>
  new QueueError('job_exists', { id, position });
