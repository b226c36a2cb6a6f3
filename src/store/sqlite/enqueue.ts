// Jobs on their way in: a few at once, or any number by way of a staging table that holds no lock.

import { QueueError } from '../../errors.ts';
import type { NewEnvironment } from '../../job/environment.ts';
import { isDue } from '../../job/due.ts';
import { FIRST_STATE, freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { firstReady, firstRunAt } from '../due.ts';
import { NEW_JOB_COLUMNS, newJobValues } from '../rows.ts';
import type { Staging } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepEnvironment } from './environments.ts';
import { isConstraint } from './failures.ts';

const COLUMNS = NEW_JOB_COLUMNS.join(', ');
const PLACES = NEW_JOB_COLUMNS.map(() => '?').join(', ');
const INSERT = `
  INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  VALUES (${PLACES}, ?, '${FIRST_STATE}', ?, ?, ?, ?)`;

export async function enqueue(
  connection: Connection,
  jobs: readonly NewJob[],
  environment: NewEnvironment | null,
  now: number,
): Promise<Job[]> {
  return connection.write(() => {
    const environmentId = keepEnvironment(connection, environment);
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
  });
}

const taken = (id: string, position: number): QueueError => new QueueError('job_exists', { id, position });

/**
 * Jobs gather in a temporary table, which is this connection's own, and move over in one transaction: a slow
 * producer locks nobody out, memory stays small, and a bad line at the end leaves no trace.
 */
export async function stage(
  connection: Connection,
  environment: NewEnvironment | null,
  clock: () => number,
): Promise<Staging> {
  connection.exec(`DROP TABLE IF EXISTS temp.staged; CREATE TEMP TABLE staged (${COLUMNS})`);
  const insert = connection.sql(`INSERT INTO temp.staged (${COLUMNS}) VALUES (${PLACES})`);
  return {
    add: (jobs) =>
      connection.read(() => {
        for (const job of jobs) insert.run(...newJobValues(job));
      }),
    commit: () => connection.write(() => moveOver(connection, environment, clock())),
    discard: async () => connection.exec('DROP TABLE IF EXISTS temp.staged'),
  };
}

function moveOver(connection: Connection, environment: NewEnvironment | null, now: number): number {
  const environmentId = keepEnvironment(connection, environment);
  const move = connection.sql(`
    INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
    SELECT ${COLUMNS}, $environment, '${FIRST_STATE}', ${firstReady('$now')}, ${firstRunAt('$now', 'max')}, $now, $now
    FROM temp.staged ORDER BY rowid`);
  try {
    return Number(move.run({ $now: now, $environment: environmentId }).changes);
  } catch (error) {
    throw (isConstraint(error) && firstTaken(connection)) || error;
  }
}

function firstTaken(connection: Connection): QueueError | null {
  const row = connection
    .sql(`
      SELECT id, rowid AS position FROM temp.staged s
      WHERE EXISTS (SELECT 1 FROM jobs WHERE id = s.id)
      UNION ALL
      SELECT id, nth FROM (SELECT id, nth_value(rowid, 2) OVER (PARTITION BY id ORDER BY rowid) AS nth FROM temp.staged) WHERE nth IS NOT NULL
      ORDER BY position LIMIT 1`)
    .get();
  return row ? taken(String(row.id), Number(row.position)) : null;
}
