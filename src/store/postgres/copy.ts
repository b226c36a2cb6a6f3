// Copies whole jobs from one store to another, by the names of their columns.

import { QueueError } from '../../errors/errors.ts';
import { newEnvironment } from '../../job/environment/environment.ts';
import { COPIED_WITH_JOBS, type Row, TABLES_OF_QUEUE } from '../rows/rows.ts';
import type { Cells, CopiedJob, CopiedTables, JobFilter, OutputPiece } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { findOrAdd, idsIn, textsOf } from './environments.ts';
import { isUniqueViolation } from './session/failures.ts';
import { matching } from '../sql/matching.ts';
import { sql } from '../sql/statement.ts';
import { rowsWith } from './database.ts';
import { DIALECT } from './dialect.ts';
import { addAll } from './outputs.ts';
import { storable } from './rows.ts';
import { keepStdin } from './stdins.ts';
import { wakeWorkers } from './wake.ts';

export function copyOut(
  connection: Connection,
  afterSeq: number,
  limit: number,
  filter: JobFilter = {},
): Promise<CopiedJob[]> {
  return connection.read(async (session) => {
    const where = sql`j.seq > ${afterSeq} AND ${matching(DIALECT, filter)}`;
    const jobs = await rowsWith(session, sql`SELECT j.* FROM jobs j WHERE ${where} ORDER BY j.seq LIMIT ${limit}`);
    const seqs = jobs.map(({ seq }) => seq);
    const { rows: attempts } = await session.sql(
      'SELECT * FROM attempts WHERE job_seq = ANY($1::bigint[]) ORDER BY job_seq, number',
      [seqs],
    );
    const bySeq = Map.groupBy(attempts, ({ job_seq }) => job_seq);
    const texts = await textsOf(session, idsIn(jobs));
    const rowsBySeq = await rowsOf(session, seqs);
    return jobs.map(({ environment_id, ...job }) => ({
      job: job as Cells,
      environment: texts.get(Number(environment_id)) ?? null,
      attempts: (bySeq.get(job.seq) ?? []).map((cells: Row) => ({ cells: cells as Cells })),
      rows: rowsBySeq(job.seq),
    }));
  });
}

/** The rows of each job in other tables. */
async function rowsOf(session: Session, seqs: readonly unknown[]): Promise<(seq: unknown) => CopiedTables> {
  const found = await Promise.all(
    COPIED_WITH_JOBS.map(async (table) => {
      const statement = `SELECT * FROM ${table} WHERE job_seq = ANY($1::bigint[]) ORDER BY 1, 2`;
      const { rows } = await session.sql(statement, [seqs]);
      return { table, bySeq: Map.groupBy(rows, ({ job_seq }) => job_seq) };
    }),
  );
  return (seq) => Object.fromEntries(found.map(({ table, bySeq }) => [table, (bySeq.get(seq) ?? []) as Cells[]]));
}

export function copyTablesOut(connection: Connection): Promise<CopiedTables> {
  return connection.read(async (session) => {
    const tables = TABLES_OF_QUEUE.map(async (table): Promise<[string, Cells[]]> => {
      const { rows } = await session.sql(`SELECT * FROM ${table} ORDER BY 1, 2`);
      return [table, await withTexts(session, rows)];
    });
    return Object.fromEntries(await Promise.all(tables));
  });
}

async function withTexts(session: Session, rows: readonly Row[]): Promise<Cells[]> {
  if (rows[0]?.environment_id === undefined) return rows as Cells[];
  const texts = await textsOf(session, idsIn(rows));
  return rows.map(({ environment_id, ...cells }) => ({
    ...(cells as Cells),
    environment: texts.get(Number(environment_id)) ?? null,
  }));
}

export async function withIds(session: Session, rows: readonly Cells[]): Promise<readonly Cells[]> {
  if (rows[0]?.environment === undefined) return rows;
  const texts = rows.map(({ environment }) => environment as string | null);
  const ids = await keepAll(session, texts);
  return rows.map(({ environment, ...cells }) => ({
    ...cells,
    environment_id: ids.get(environment as string | null) ?? null,
  }));
}

export const copyTablesIn = (connection: Connection, tables: CopiedTables): Promise<void> =>
  connection.write(
    async (session) => {
      for (const table of TABLES_OF_QUEUE) {
        await session.sql(`DELETE FROM ${table}`);
        await insert(session, table, await withIds(session, tables[table] ?? []));
      }
    },
    { withinMs: LONG_MS, isRepeatable: true },
  );

export async function copyIn(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  try {
    await connection.write(
      async (session) => {
        const ids = await keepAll(session, environmentsIn(jobs));
        await insert(
          session,
          'jobs',
          jobs.map(({ job, environment }) => ({ ...job, environment_id: ids.get(environment) ?? null })),
        );
        await session.sql(ADVANCE_SEQUENCE, [Number(jobs.at(-1)?.job.seq)]);
        const placed = jobs.map((job) => ({ ...job, seq: Number(job.job.seq) }));
        await insertDetails(connection, session, placed, (_, cells) => cells);
      },
      { withinMs: LONG_MS },
    );
  } catch (error) {
    throw isUniqueViolation(error) ? await taken(connection, jobs) : error;
  }
}

export const environmentsIn = (jobs: readonly CopiedJob[]): (string | null)[] =>
  jobs.map(({ environment }) => environment);

export type PlacedJob = CopiedJob & { readonly seq: number };

/** Inserts what belongs to jobs that are already inserted. `rowOf` returns the row of a job in another table. */
export async function insertDetails(
  connection: Connection,
  session: Session,
  jobs: readonly PlacedJob[],
  rowOf: (table: string, cells: Cells, seq: number) => Cells,
): Promise<void> {
  const attempts = jobs.flatMap((job) => job.attempts.map(({ cells }) => ({ ...cells, job_seq: job.seq })));
  await insert(session, 'attempts', attempts);
  for (const table of COPIED_WITH_JOBS) {
    const rows = jobs.flatMap((job) => (job.rows[table] ?? []).map((cells) => rowOf(table, cells, job.seq)));
    await insert(session, table, rows);
  }
  await addAll(session, outputsOf(jobs));
  for (const { seq, stdin } of jobs) await keepStdin(session, seq, await stdin?.());
  session.provenBy('SELECT 1 FROM jobs WHERE seq = $1 AND id = $2', [jobs[0]?.seq, jobs[0]?.job.id]);
  wakeWorkers(connection, session);
}

/** The IDs of environments by text. Each environment is stored once. */
export async function keepAll(
  session: Session,
  texts: readonly (string | null)[],
): Promise<Map<string | null, number>> {
  const ids = new Map<string | null, number>();
  for (const text of new Set(texts)) if (text !== null) ids.set(text, await findOrAdd(session, newEnvironment(text)));
  return ids;
}

/** Sends the rows as JSON, so that the column types come from the table. */
export async function insert(session: Session, table: string, rows: readonly Cells[], otherwise = ''): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await session.sql(
    `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json) ${otherwise}`,
    [JSON.stringify(rows, wellFormed)],
  );
}

/** JSON can contain characters that a text in PostgreSQL cannot. */
export const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? storable(value.toWellFormed()) : value;

/** The sequence continues after the last of these jobs, or after its own last value if that is greater. */
const ADVANCE_SEQUENCE = `
  SELECT setval(sequence, greatest(nextval(sequence), $1::bigint))
  FROM (SELECT pg_get_serial_sequence('jobs', 'seq')::regclass AS sequence) own`;

async function* outputsOf(jobs: readonly PlacedJob[]): AsyncGenerator<OutputPiece> {
  for (const { seq, attempts } of jobs)
    for (const { cells, output } of attempts)
      for await (const part of output?.() ?? []) yield { seq, run: Number(cells.number), ...part };
}

async function taken(connection: Connection, jobs: readonly CopiedJob[]): Promise<QueueError> {
  const { rows } = await connection.query(
    'SELECT id FROM jobs WHERE id = ANY($1::text[]) OR seq = ANY($2::bigint[]) ORDER BY seq LIMIT 1',
    [jobs.map(({ job }) => job.id), jobs.map(({ job }) => job.seq)],
  );
  return new QueueError('job_exists', { id: String(rows[0]?.id ?? jobs[0]?.job.id) });
}
