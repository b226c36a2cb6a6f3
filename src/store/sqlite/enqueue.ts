// A few new jobs at once, in one transaction.

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

/** Asked before every job that comes in. */
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

/** Within a transaction. The environment is there already. */
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
  return getAll(
    connection,
    jobs.map(({ id }) => instead.get(id) ?? id),
  );
}
