// Whole jobs out of one store and into another, by the names of their columns.

import { QueueError } from '../../errors/errors.ts';
import type { OutputPart } from '../../job/output/output.ts';
import { COPIED_WITH_JOBS, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { Cells, CopiedJob, CopiedTables, JobFilter, Lease } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepText, textOf } from './environments.ts';
import { isConstraint } from './failures.ts';
import { matching } from '../sql/matching.ts';
import { sql } from '../sql/statement.ts';
import { rowsWith } from './database.ts';
import { DIALECT } from './dialect.ts';
import { keepPart } from './outputs.ts';
import { keepStdin } from './stdins.ts';

export function copyOut(
  connection: Connection,
  afterSeq: number,
  limit: number,
  filter: JobFilter = {},
): CopiedJob[] {
  const jobs = rowsWith(
    connection,
    sql`SELECT * FROM jobs j WHERE seq > ${afterSeq} AND ${matching(DIALECT, filter)} ORDER BY seq LIMIT ${limit}`,
  );
  const history = connection.sql('SELECT * FROM attempts WHERE job_seq = ? ORDER BY number');
  return jobs.map(({ environment_id, ...job }) => ({
    job: job as Cells,
    environment: textOf(connection, environment_id as number | null),
    attempts: history.all(job.seq as number).map((row) => ({ cells: { ...row } as Cells })),
    rows: rowsOf(connection, job.seq as number),
  }));
}

const rowsOf = (connection: Connection, seq: number): CopiedTables =>
  Object.fromEntries(
    COPIED_WITH_JOBS.map((table) => [
      table,
      connection.sql(`SELECT * FROM ${table} WHERE job_seq = ? ORDER BY 1, 2`).all(seq) as Cells[],
    ]),
  );

export const copyTablesOut = (connection: Connection): CopiedTables =>
  Object.fromEntries(
    TABLES_OF_QUEUE.map((table) => [
      table,
      (connection.sql(`SELECT * FROM ${table} ORDER BY 1, 2`).all() as Cells[]).map((cells) =>
        withText(connection, cells),
      ),
    ]),
  );

function withText(connection: Connection, { environment_id, ...cells }: Cells): Cells {
  if (environment_id === undefined) return cells;
  return { ...cells, environment: textOf(connection, environment_id as number | null) };
}

export function withId(connection: Connection, { environment, ...cells }: Cells): Cells {
  if (environment === undefined) return cells;
  return { ...cells, environment_id: keepText(connection, environment as string | null) };
}

export function copyTablesIn(connection: Connection, tables: CopiedTables): void {
  for (const table of TABLES_OF_QUEUE) {
    connection.sql(`DELETE FROM ${table}`).run();
    for (const cells of tables[table] ?? []) insert(connection, table, withId(connection, cells));
  }
}

/** What there is to keep is small here, and read before the transaction, which cannot wait for it. */
export async function copyIn(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  const outputs = await outputsOf(jobs);
  const stdins = await Promise.all(
    jobs.map(async ({ job, stdin }) => [Number(job.seq), await stdin?.()] as const),
  );
  await connection.write(() => {
    for (const job of jobs) insertJob(connection, job);
    for (const [seq, data] of stdins) if (data) keepStdin(connection, seq, data);
    for (const { lease, part } of outputs) keepPart(connection, lease, part);
  });
}

async function outputsOf(jobs: readonly CopiedJob[]): Promise<{ lease: Lease; part: OutputPart }[]> {
  const found: { lease: Lease; part: OutputPart }[] = [];
  for (const { cells, output } of jobs.flatMap(({ attempts }) => attempts)) {
    const lease = { seq: Number(cells.job_seq), run: Number(cells.number) };
    for await (const part of output?.() ?? []) found.push({ lease, part });
  }
  return found;
}

/** A given seq moves the counter of AUTOINCREMENT along. */
function insertJob(connection: Connection, { job, environment, attempts, rows }: CopiedJob): void {
  try {
    insert(connection, 'jobs', { ...job, environment_id: keepText(connection, environment) });
    for (const { cells } of attempts) insert(connection, 'attempts', cells);
    for (const table of COPIED_WITH_JOBS)
      for (const cells of rows[table] ?? []) insert(connection, table, cells);
  } catch (error) {
    throw isConstraint(error) ? new QueueError('job_exists', { id: String(job.id) }) : error;
  }
}

/** Returns the seq of a new job. */
export function insert(connection: Connection, table: string, cells: Cells, how = 'INSERT'): number {
  const columns = Object.keys(cells);
  const places = columns.map(() => '?').join(', ');
  const { lastInsertRowid } = connection
    .sql(`${how} INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(...Object.values(cells));
  return Number(lastInsertRowid);
}
