// Enqueuing a few jobs in one transaction.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { isPlain } from '../rows/new-job-rows.ts';
import { jobsByQueue } from '../../series/by-queue.ts';
import type { Connection } from './connection.ts';
import { keepEnvironment } from './environments.ts';
import { insertPlain } from './insert-jobs.ts';
import { getAll } from './database.ts';
import { createStaged, moveOver } from './stage.ts';
import { tallyEnqueued } from './tally.ts';

/** Runs before every enqueue. */
export const drainingQueues = (connection: Connection): string[] =>
  connection
    .sql('SELECT queue FROM queue_limits WHERE draining_at IS NOT NULL')
    .all()
    .map(({ queue }) => String(queue));

export async function enqueue(
  connection: Connection,
  jobs: readonly NewJob[],
  environment: NewEnvironment | null,
  clock: () => number,
): Promise<Job[]> {
  const insert = (): Job[] => insertJobs(connection, jobs, keepEnvironment(connection, environment), clock());
  return jobs.length > 1 ? connection.writeMuch(insert) : connection.write(insert);
}

/** Runs within the caller's transaction, which has stored the environment. */
export function insertJobs(
  connection: Connection,
  jobs: readonly NewJob[],
  environmentId: number | null,
  now: number,
): Job[] {
  if (!jobs.every(isPlain)) return insertFlow(connection, jobs, environmentId, now);
  tallyEnqueued(connection, jobsByQueue(jobs), now);
  return insertPlain(connection, jobs, environmentId, now);
}

/** Uses the staging table. Reads the jobs back, because their dependencies may have finished already. */
function insertFlow(connection: Connection, jobs: readonly NewJob[], environmentId: number | null, now: number): Job[] {
  const staged = createStaged(connection);
  staged.add(jobs);
  const { instead } = moveOver(connection, staged, environmentId, now);
  return getAll(
    connection,
    jobs.map(({ id }) => instead.get(id) ?? id),
  );
}
