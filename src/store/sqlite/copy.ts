// Copying whole jobs from one store to another, by column name.

import { QueueError } from '../../errors/errors.ts';
import type { OutputPart } from '../../job/output/output.ts';
import { COPIED_WITH_JOBS, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { Cells, CopiedJob, CopiedTables, JobFilter } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepText, textOf } from './environments.ts';
import { isConstraint } from './failures.ts';
import { matching } from '../sql/matching.ts';
import { sql } from '../sql/statement.ts';
import { rowsWith } from './database.ts';
import { DIALECT } from './dialect.ts';
import { keepPart } from './outputs.ts';
import { keepStdin } from './stdins.ts';

export function copyOut(connection: Connection, afterSeq: number, limit: number, filter: JobFilter = {}): CopiedJob[] {
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

export async function copyIn(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  const loaded = await Promise.all(jobs.map(loadedJob));
  await connection.write(() => {
    for (const job of loaded) insertJob(connection, job);
  });
}

/** A copied job with its standard input and its output. */
interface LoadedJob {
  readonly job: CopiedJob;
  readonly stdin: Uint8Array | null | undefined;
  readonly outputs: readonly { readonly run: number; readonly part: OutputPart }[];
}

/** Loads all data before the transaction, which cannot wait. A job has little data in SQLite. */
export async function loadedJob(job: CopiedJob): Promise<LoadedJob> {
  const outputs: { run: number; part: OutputPart }[] = [];
  for (const { cells, output } of job.attempts)
    for await (const part of output?.() ?? []) outputs.push({ run: Number(cells.number), part });
  return { job, stdin: await job.stdin?.(), outputs };
}

/** `rowFor` returns a row of another table as it is stored for the job with this seq. */
export function insertJob(
  connection: Connection,
  { job: { job, environment, attempts, rows }, stdin, outputs }: LoadedJob,
  rowFor: (table: string, cells: Cells, seq: number) => Cells = (_, cells) => cells,
): void {
  const seq = insertCells(connection, { ...job, environment_id: keepText(connection, environment) });
  for (const { cells } of attempts) insert(connection, 'attempts', rowFor('attempts', cells, seq));
  for (const table of COPIED_WITH_JOBS)
    for (const cells of rows[table] ?? []) insert(connection, table, rowFor(table, cells, seq));
  for (const { run, part } of outputs) keepPart(connection, { seq, run }, part);
  if (stdin) keepStdin(connection, seq, stdin);
}

/** If the job has a seq, it advances the AUTOINCREMENT counter. */
function insertCells(connection: Connection, job: Cells): number {
  try {
    return insert(connection, 'jobs', job);
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
