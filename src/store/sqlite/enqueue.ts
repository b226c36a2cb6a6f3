// A few new jobs at once, in one transaction.

import type { NewEnvironment } from '../../job/environment.ts';
import { isDue } from '../../job/due.ts';
import { FIRST_STATE, freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { flowValues, isPlain } from '../flow-columns.ts';
import type { NewHookJob } from '../hook-rows.ts';
import { newJobValues } from '../rows.ts';
import type { Connection } from './connection.ts';
import { keepEnvironment } from './environments.ts';
import { isConstraint } from './failures.ts';
import { get } from './query.ts';
import { jobsByQueue } from '../series-rows.ts';
import { tallyEnqueued } from './series.ts';
import { ALL_COLUMNS, COLUMNS, createStaged, moveOver, placesFor, taken } from './stage.ts';

const INSERT = `
  INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  VALUES (${placesFor(COLUMNS)}, ?, '${FIRST_STATE}', ?, ?, ?, ?)`;

const INSERT_FLOW = `
  INSERT INTO jobs (${ALL_COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  VALUES (${placesFor(ALL_COLUMNS)}, ?, '${FIRST_STATE}', 1, ?, ?, ?)`;

/** As old as the end that it tells of. */
export function insertHookJob(connection: Connection, { job, environmentId, at }: NewHookJob): void {
  connection.sql(INSERT_FLOW).run(...newJobValues(job), ...flowValues(job), environmentId, at, at, at);
  tallyEnqueued(connection, new Map([[job.queue, 1]]), at);
}

export async function enqueue(
  connection: Connection,
  jobs: readonly NewJob[],
  environment: NewEnvironment | null,
  clock: () => number,
): Promise<Job[]> {
  return connection.write(() =>
    insertJobs(connection, jobs, keepEnvironment(connection, environment), clock()),
  );
}

/** Within a transaction. The environment is there already. */
export function insertJobs(
  connection: Connection,
  jobs: readonly NewJob[],
  environmentId: number | null,
  now: number,
): Job[] {
  if (!jobs.every(isPlain)) return insertFlow(connection, jobs, environmentId, now);
  const insert = connection.sql(INSERT);
  tallyEnqueued(connection, jobsByQueue(jobs), now);
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

/** By the way of many jobs, and then read back: what they wait for may have ended already. */
function insertFlow(
  connection: Connection,
  jobs: readonly NewJob[],
  environmentId: number | null,
  now: number,
): Job[] {
  const staged = createStaged(connection);
  for (const job of jobs) staged.add(job);
  const { instead } = moveOver(connection, staged, environmentId, now);
  return jobs.map(({ id }) => get(connection, instead.get(id) ?? id)).filter((job) => job !== null);
}
