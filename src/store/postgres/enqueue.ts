// New jobs: a few at once, or any number by way of a temporary table, which locks nobody out.

import { QueueError } from '../../errors.ts';
import type { NewEnvironment } from '../../job/environment.ts';
import { FIRST_STATE, freshJob } from '../../job/fresh-job.ts';
import type { Job, NewJob } from '../../job/job.ts';
import { firstReady, firstRunAt } from '../due.ts';
import { NEW_JOB_COLUMNS, newJobValues } from '../rows.ts';
import type { Staging } from '../store.ts';
import { type Connection, LONG_MS, type Result, type Session } from './connection.ts';
import { writeWith } from './environments.ts';
import { isMissing, isTaken } from './failures.ts';
import { columnsOf, now } from './rows.ts';
import { tellAll } from './wake.ts';

const TYPES: Record<(typeof NEW_JOB_COLUMNS)[number], string> = {
  id: 'text',
  queue: 'text',
  priority: 'bigint',
  command: 'text',
  is_argv: 'smallint',
  max_retries: 'bigint',
  backoff_base: 'double precision',
  backoff_strategy: 'text',
  timeout_seconds: 'double precision',
  split_output: 'smallint',
  run_at: 'bigint',
  cwd: 'text',
  env: 'text',
};

const COLUMNS = NEW_JOB_COLUMNS.join(', ');
/** A function's rows come in the order of its arrays. */
const GIVEN = `unnest(${NEW_JOB_COLUMNS.map((name, i) => `$${i + 1}::${TYPES[name]}[]`).join(', ')})
  AS given (${COLUMNS})`;

/** Jobs become rows in the order in which the source has them, and seq follows it. OFFSET 0: one look at the clock. */
const insertFrom = (source: string, time: string, environment: string): string => `
  INSERT INTO jobs (${COLUMNS}, environment_id, state, ready, next_run_at, created_at, updated_at)
  SELECT ${COLUMNS}, ${environment}::bigint, '${FIRST_STATE}', ${firstReady('t.now')},
    ${firstRunAt('t.now', 'greatest')}, t.now, t.now
  FROM ${source}, (SELECT ${now(time)} AS now OFFSET 0) t`;

const BEHIND = NEW_JOB_COLUMNS.length;
const INSERT = `
  WITH added AS (${insertFrom(GIVEN, `$${BEHIND + 1}`, `$${BEHIND + 2}`)} RETURNING created_at)
  SELECT created_at FROM added LIMIT 1`;

/** Jobs go in all or none, so one of them shows that all were. Its time tells it from a later job of the same id. */
const WAS_ENQUEUED = 'SELECT 1 FROM jobs WHERE id = ANY($1::text[]) AND created_at = $2 LIMIT 1';

/** If the job with the same id is gone when we look for it, somebody has removed it meanwhile: try again. */
const TRIES = 5;

/** So many jobs that storing them may take long. */
export const isLarge = (jobs: readonly NewJob[]): boolean => jobs.length > 1000;

export async function enqueue(
  connection: Connection,
  jobs: readonly NewJob[],
  environment: NewEnvironment | null,
): Promise<Job[]> {
  if (jobs.length === 0) return [];
  const columns = columnsOf(jobs.map(newJobValues), NEW_JOB_COLUMNS.length);
  const ids = jobs.map(({ id }) => id);
  const work = async (session: Session, environmentId: number | null): Promise<Job[]> => {
    const { rows } = await session.sql(INSERT, [...columns, connection.givenNow, environmentId]);
    const createdAt = Number(rows[0]?.created_at);
    session.provenBy(WAS_ENQUEUED, [ids, createdAt]);
    tellAll(connection, session);
    return jobs.map((job) => freshJob(job, createdAt));
  };
  return unlessTaken(
    () => writeWith(connection, environment, work, { withinMs: isLarge(jobs) ? LONG_MS : undefined }),
    () => firstTaken(connection, 'unnest($1::text[]) WITH ORDINALITY AS given (id, position)', [ids]),
  );
}

async function unlessTaken<T>(work: () => Promise<T>, clash: () => Promise<QueueError | null>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isTaken(error)) throw error;
      const taken = await clash();
      if (taken || tries === TRIES) throw taken ?? error;
    }
  }
}

/** The first job whose id is taken, by a stored job or by one before it in the same batch. */
async function firstTaken(
  connection: Connection,
  source: string,
  values: readonly unknown[],
): Promise<QueueError | null> {
  const { rows } = await connection.query(
    `SELECT id, position FROM (
       SELECT id, position, row_number() OVER (PARTITION BY id ORDER BY position) AS nth FROM ${source}) one
     WHERE nth > 1 OR EXISTS (SELECT 1 FROM jobs WHERE jobs.id = one.id COLLATE "C")
     ORDER BY position LIMIT 1`,
    values,
    LONG_MS,
  );
  const [row] = rows;
  return row ? new QueueError('job_exists', { id: String(row.id), position: Number(row.position) }) : null;
}

const STAGED = 'pg_temp.staged';
const CREATE_STAGED = `
  DROP TABLE IF EXISTS ${STAGED};
  CREATE TEMP TABLE staged (position bigint GENERATED ALWAYS AS IDENTITY,
    ${NEW_JOB_COLUMNS.map((name) => `${name} ${TYPES[name]}`).join(', ')})`;
const ADD_STAGED = `INSERT INTO ${STAGED} (${COLUMNS}) SELECT ${COLUMNS} FROM ${GIVEN}`;
const MOVE_STAGED = `${insertFrom(STAGED, '$1', '$2')} ORDER BY position`;
const LOOK_STAGED = `SELECT id, ${now('$1')} AS now FROM ${STAGED} LIMIT 1`;
const LONG = { withinMs: LONG_MS };
/** Done again after a loss, it finds that the table went with the connection. */
const ADDING = { ...LONG, isRepeatable: true };

/**
 * Jobs gather in a temporary table, which is this connection's own, and move over in one transaction: a slow
 * producer locks nobody out, memory stays small, and a bad line at the end leaves no trace. A connection that is lost
 * takes the table with it; then nothing was enqueued, and the producer is told.
 */
export async function stage(connection: Connection, environment: NewEnvironment | null): Promise<Staging> {
  await connection.query(CREATE_STAGED);
  const staged = async (statement: Promise<Result>): Promise<Result> => {
    try {
      return await statement;
    } catch (error) {
      throw isMissing(error) ? lostOnTheWay(connection) : error;
    }
  };
  const moveStaged = async (session: Session, environmentId: number | null): Promise<number> => {
    const [any] = (await staged(session.sql(LOOK_STAGED, [connection.givenNow]))).rows;
    if (any) session.provenBy(WAS_ENQUEUED, [[any.id], any.now]);
    const { count } = await session.sql(MOVE_STAGED, [any?.now ?? connection.givenNow, environmentId]);
    tellAll(connection, session);
    return count;
  };
  return {
    add: (jobs) =>
      connection.write(async (session) => {
        const columns = columnsOf(jobs.map(newJobValues), NEW_JOB_COLUMNS.length);
        await staged(session.sql(ADD_STAGED, columns));
      }, ADDING),
    commit: () =>
      unlessTaken(
        () => writeWith(connection, environment, moveStaged, LONG),
        () => firstTaken(connection, STAGED, []),
      ),
    discard: async () => {
      await connection.query(`DROP TABLE IF EXISTS ${STAGED}`);
    },
  };
}

const lostOnTheWay = (connection: Connection): QueueError =>
  new QueueError('store_unreachable', {
    path: connection.target.name,
    problem: 'the connection was lost on the way, and nothing was enqueued',
  });
