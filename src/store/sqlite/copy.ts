// Whole jobs out of one store and into another, by the names of their columns.

import { QueueError } from '../../errors.ts';
import type { Cells, CopiedJob } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepText, textOf } from './environments.ts';
import { isConstraint } from './failures.ts';

export function copyOut(connection: Connection, afterSeq: number, limit: number): CopiedJob[] {
  const jobs = connection.sql('SELECT * FROM jobs WHERE seq > ? ORDER BY seq LIMIT ?').all(afterSeq, limit);
  const history = connection.sql('SELECT * FROM attempts WHERE job_seq = ? ORDER BY number');
  return jobs.map(({ environment_id, ...job }) => ({
    job: job as Cells,
    environment: textOf(connection, environment_id as number | null),
    attempts: history.all(job.seq as number).map((row) => ({ cells: { ...row } as Cells })),
  }));
}

/** A given seq moves the counter of AUTOINCREMENT along. */
export function copyIn(connection: Connection, jobs: readonly CopiedJob[]): void {
  for (const { job, environment, attempts } of jobs) {
    try {
      insert(connection, 'jobs', { ...job, environment_id: keepText(connection, environment) });
      for (const { cells } of attempts) insert(connection, 'attempts', cells);
    } catch (error) {
      throw isConstraint(error) ? new QueueError('job_exists', { id: String(job.id) }) : error;
    }
  }
}

function insert(connection: Connection, table: string, cells: Cells): void {
  const columns = Object.keys(cells);
  const places = columns.map(() => '?').join(', ');
  connection
    .sql(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(...Object.values(cells));
}
