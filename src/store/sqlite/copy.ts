// Whole jobs out of one store and into another, by the names of their columns.

import { QueueError } from '../../errors.ts';
import type { OutputPart } from '../../job/output.ts';
import type { Cells, CopiedJob, Lease } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepText, textOf } from './environments.ts';
import { isConstraint } from './failures.ts';
import { keepPart } from './outputs.ts';

export function copyOut(connection: Connection, afterSeq: number, limit: number): CopiedJob[] {
  const jobs = connection.sql('SELECT * FROM jobs WHERE seq > ? ORDER BY seq LIMIT ?').all(afterSeq, limit);
  const history = connection.sql('SELECT * FROM attempts WHERE job_seq = ? ORDER BY number');
  return jobs.map(({ environment_id, ...job }) => ({
    job: job as Cells,
    environment: textOf(connection, environment_id as number | null),
    attempts: history.all(job.seq as number).map((row) => ({ cells: { ...row } as Cells })),
  }));
}

/** What there is to keep is small here, and read before the transaction, which cannot wait for it. */
export async function copyIn(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  const outputs = await outputsOf(jobs);
  await connection.write(() => {
    for (const job of jobs) insertJob(connection, job);
    for (const { lease, part } of outputs) keepPart(connection, lease, part);
  });
}

async function outputsOf(jobs: readonly CopiedJob[]): Promise<{ lease: Lease; part: OutputPart }[]> {
  const found: { lease: Lease; part: OutputPart }[] = [];
  for (const { cells, output } of jobs.flatMap(({ attempts }) => attempts)) {
    const lease = { seq: Number(cells.job_seq), number: Number(cells.number) };
    for await (const part of output?.() ?? []) found.push({ lease, part });
  }
  return found;
}

/** A given seq moves the counter of AUTOINCREMENT along. */
function insertJob(connection: Connection, { job, environment, attempts }: CopiedJob): void {
  try {
    insert(connection, 'jobs', { ...job, environment_id: keepText(connection, environment) });
    for (const { cells } of attempts) insert(connection, 'attempts', cells);
  } catch (error) {
    throw isConstraint(error) ? new QueueError('job_exists', { id: String(job.id) }) : error;
  }
}

function insert(connection: Connection, table: string, cells: Cells): void {
  const columns = Object.keys(cells);
  const places = columns.map(() => '?').join(', ');
  connection
    .sql(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(...Object.values(cells));
}
