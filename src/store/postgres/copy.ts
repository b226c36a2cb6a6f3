// Whole jobs out of one store and into another, by the names of their columns.

import { QueueError } from '../../errors.ts';
import { newEnvironment } from '../../job/environment.ts';
import type { Row } from '../rows.ts';
import type { OutputPiece } from '../store.ts';
import type { Cells, CopiedJob } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './connection.ts';
import { findOrAdd, idsIn, textsOf } from './environments.ts';
import { isTaken } from './failures.ts';
import { addAll } from './outputs.ts';
import { storable } from './rows.ts';
import { tellAll } from './wake.ts';

export function copyOut(connection: Connection, afterSeq: number, limit: number): Promise<CopiedJob[]> {
  return connection.read(async (session) => {
    const { rows: jobs } = await session.sql('SELECT * FROM jobs WHERE seq > $1 ORDER BY seq LIMIT $2', [
      afterSeq,
      limit,
    ]);
    const { rows: attempts } = await session.sql(
      'SELECT * FROM attempts WHERE job_seq = ANY($1::bigint[]) ORDER BY job_seq, number',
      [jobs.map(({ seq }) => seq)],
    );
    const bySeq = Map.groupBy(attempts, ({ job_seq }) => job_seq);
    const texts = await textsOf(session, idsIn(jobs));
    return jobs.map(({ environment_id, ...job }) => ({
      job: job as Cells,
      environment: texts.get(Number(environment_id)) ?? null,
      attempts: (bySeq.get(job.seq) ?? []).map((cells: Row) => ({ cells: cells as Cells })),
    }));
  });
}

export async function copyIn(connection: Connection, jobs: readonly CopiedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  try {
    await connection.write(
      async (session) => {
        const ids = await keepAll(session, jobs);
        await insert(
          session,
          'jobs',
          jobs.map(({ job, environment }) => ({ ...job, environment_id: ids.get(environment) ?? null })),
        );
        await session.sql(FOLLOW_ON, [Number(jobs.at(-1)?.job.seq)]);
        await insert(
          session,
          'attempts',
          jobs.flatMap(({ attempts }) => attempts.map(({ cells }) => cells)),
        );
        await addAll(session, outputsOf(jobs));
        session.provenBy('SELECT 1 FROM jobs WHERE seq = $1 AND id = $2', [
          jobs[0]?.job.seq,
          jobs[0]?.job.id,
        ]);
        tellAll(connection, session);
      },
      { withinMs: LONG_MS },
    );
  } catch (error) {
    throw isTaken(error) ? await taken(connection, jobs) : error;
  }
}

/** Their environments, each once, by text. */
async function keepAll(session: Session, jobs: readonly CopiedJob[]): Promise<Map<string | null, number>> {
  const ids = new Map<string | null, number>();
  for (const text of new Set(jobs.flatMap(({ environment }) => environment ?? [])))
    ids.set(text, await findOrAdd(session, newEnvironment(text)));
  return ids;
}

/** As JSON, so that no column needs a type here: the table has them. */
async function insert(session: Session, table: string, rows: readonly Cells[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).join(', ');
  await session.sql(
    `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
     SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [JSON.stringify(rows, wellFormed)],
  );
}

/** JSON could carry characters that no text of PostgreSQL can hold. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? storable(value.toWellFormed()) : value;

/** The sequence continues after the last of these jobs, whatever it has handed out before. */
const FOLLOW_ON = `
  SELECT setval(sequence, greatest(nextval(sequence), $1::bigint))
  FROM (SELECT pg_get_serial_sequence('jobs', 'seq')::regclass AS sequence) own`;

async function* outputsOf(jobs: readonly CopiedJob[]): AsyncGenerator<OutputPiece> {
  for (const { attempts } of jobs) {
    for (const { cells, output } of attempts) {
      const lease = { seq: Number(cells.job_seq), number: Number(cells.number) };
      for await (const part of output?.() ?? []) yield { ...lease, ...part };
    }
  }
}

async function taken(connection: Connection, jobs: readonly CopiedJob[]): Promise<QueueError> {
  const { rows } = await connection.query(
    'SELECT id FROM jobs WHERE id = ANY($1::text[]) OR seq = ANY($2::bigint[]) ORDER BY seq LIMIT 1',
    [jobs.map(({ job }) => job.id), jobs.map(({ job }) => job.seq)],
  );
  return new QueueError('job_exists', { id: String(rows[0]?.id ?? jobs[0]?.job.id) });
}
