// What a person does to jobs: retry, cancel, remove. The given ids are changed all together or not at all.
// Jobs are locked first, in the order of their seq, and read afterwards, so that a decision still holds when it is written.

import { QueueError } from '../../errors.ts';
import { FINAL_STATES, type Job, type JobState } from '../../job/job.ts';
import { allows, TRANSITIONS } from '../../job/lifecycle.ts';
import { logPathsOf, quoted } from '../rows.ts';
import type { JobFilter, PruneQuery, Removed } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './connection.ts';
import { getAll, matching } from './query.ts';
import { now } from './rows.ts';
import { tellAll } from './wake.ts';

const LONG = { withinMs: LONG_MS };

const retryAt = (time: string): string => `
  UPDATE jobs SET state = '${TRANSITIONS.retry.to}', ready = 1, attempts = 0, interruptions_in_row = 0,
    next_run_at = ${now(time)}, run_at = NULL, finished_at = NULL, updated_at = ${now(time)}`;

export function retry(
  connection: Connection,
  ids: readonly string[],
  states: readonly JobState[],
): Promise<Job[]> {
  const retryable = states.filter((state) => allows('retry', state));
  return connection.write(async (session) => {
    const jobs = await expect(session, ids, retryable, 'retry');
    const statement = `${retryAt('$1')} WHERE seq = ANY($2::bigint[])`;
    const seqs = jobs.map(({ seq }) => seq);
    await session.sql(statement, [connection.givenNow, seqs]);
    session.provenBy(IS_ANY_IN_OTHER_STATE, [seqs, retryable]);
    tellAll(connection, session);
    return getAll(session, ids);
  });
}

const IS_ANY_IN_OTHER_STATE =
  'SELECT 1 FROM jobs WHERE seq = ANY($1::bigint[]) AND state <> ALL($2::text[]) LIMIT 1';

export function retryAll(connection: Connection, filter: JobFilter): Promise<number> {
  const { where, values } = matching(filter);
  const time = `$${values.length + 1}`;
  const meant = `SELECT j.seq FROM jobs j WHERE ${where} AND j.state IN (${quoted(TRANSITIONS.retry.from)})`;
  const statement = `
    WITH chosen AS (${meant} ORDER BY j.seq FOR UPDATE)
    ${retryAt(time)} WHERE seq = ANY(ARRAY(SELECT seq FROM chosen))`;
  return connection.write(async (session) => {
    const { count } = await session.sql(statement, [...values, connection.givenNow]);
    session.provenBy(`SELECT 1 WHERE NOT EXISTS (${meant})`, values);
    tellAll(connection, session);
    return count;
  }, LONG);
}

const CANCELLABLE: readonly JobState[] = [...TRANSITIONS.cancel.from, ...TRANSITIONS.stop.from];

/** A running job is only marked: ending it is up to the worker that holds it. */
export function cancel(connection: Connection, ids: readonly string[]): Promise<Job[]> {
  return connection.write(async (session) => {
    const jobs = await expect(session, ids, CANCELLABLE, 'cancel');
    const isRunning = ({ state }: Expected): boolean => allows('stop', state);
    const seqs = (chosen: Expected[]): unknown[] => [connection.givenNow, chosen.map(({ seq }) => seq)];
    await Promise.all([
      session.sql(MARK, seqs(jobs.filter(isRunning))),
      session.sql(CANCEL, seqs(jobs.filter((job) => !isRunning(job)))),
    ]);
    session.provenBy(IS_ANY_CANCELLED, [jobs.map(({ seq }) => seq)]);
    tellAll(connection, session);
    return getAll(session, ids);
  });
}

const IS_ANY_CANCELLED = `
  SELECT 1 FROM jobs WHERE seq = ANY($1::bigint[])
    AND (state = '${TRANSITIONS.cancel.to}' OR cancel_requested_at IS NOT NULL) LIMIT 1`;
const MARK = `
  UPDATE jobs SET cancel_requested_at = ${now('$1')}, updated_at = ${now('$1')} WHERE seq = ANY($2::bigint[])`;
const CANCEL = `
  UPDATE jobs SET state = '${TRANSITIONS.cancel.to}', ready = 0, next_run_at = NULL, finished_at = ${now('$1')},
    updated_at = ${now('$1')}
  WHERE seq = ANY($2::bigint[])`;

const REMOVABLE: readonly JobState[] = ['blocked', 'pending', 'failed', ...FINAL_STATES];

export function remove(connection: Connection, ids: readonly string[]): Promise<Removed> {
  return connection.write(async (session) => {
    const jobs = await expect(session, ids, REMOVABLE, 'delete');
    return removeSeqs(
      session,
      jobs.map(({ seq }) => seq),
    );
  });
}

export function prunable(connection: Connection, query: PruneQuery): Promise<number> {
  return connection.read(async (session) => {
    const counts = await Promise.all(
      finalStates(query).map((state) => {
        const { where, values } = finishedJobs(state, query);
        return session.sql(`SELECT count(*) AS n FROM jobs WHERE ${where}`, values);
      }),
    );
    return counts.reduce((sum, { rows }) => sum + Number(rows[0]?.n), 0);
  }, LONG_MS);
}

/** Removes at most `limit` jobs, the longest finished first. Jobs that others prune or retry at this moment are skipped. */
export function prune(connection: Connection, query: PruneQuery, limit: number): Promise<Removed> {
  return connection.write(async (session) => {
    const found = await Promise.all(
      finalStates(query).map((state) => {
        const { where, values } = finishedJobs(state, query);
        return session.sql(
          `SELECT seq FROM jobs WHERE ${where} ORDER BY finished_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
          values,
        );
      }),
    );
    const seqs = found.flatMap(({ rows }) => rows.map((row) => Number(row.seq)));
    return removeSeqs(session, seqs.slice(0, limit));
  }, LONG);
}

const finalStates = (query: PruneQuery): readonly JobState[] =>
  FINAL_STATES.filter((state) => query.states.includes(state));

/** Keeping the newest few means removing those that finished before the last one kept. */
function finishedJobs(state: JobState, query: PruneQuery): { where: string; values: unknown[] } {
  const values: unknown[] = [state, query.finishedBefore ?? Number.MAX_SAFE_INTEGER];
  const ofQueue = query.queue === undefined ? '' : `AND queue = $${values.push(query.queue)}::text`;
  const finished = `state = $1 AND finished_at IS NOT NULL ${ofQueue}`;
  const before = `${finished} AND finished_at < $2`;
  if (!query.keep) return { where: before, values };
  const lastKept = `SELECT finished_at, seq FROM jobs WHERE ${finished}
    ORDER BY finished_at DESC, seq DESC OFFSET ${query.keep - 1} LIMIT 1`;
  return { where: `${before} AND (finished_at, seq) < (${lastKept})`, values };
}

/** Everybody else has to wait, and in the order in which a turn, a rescue and an enqueue take their locks. */
export function reset(connection: Connection): Promise<Removed> {
  return connection.write(async (session) => {
    await session.sql('LOCK TABLE workers, environments, jobs IN EXCLUSIVE MODE');
    const { rows } = await session.sql('SELECT min(seq) AS first FROM jobs');
    session.provenBy(ARE_GONE, [[rows[0]?.first ?? 0]]);
    const [, attempts, jobs] = await Promise.all([
      session.sql('DELETE FROM outputs'),
      session.sql('DELETE FROM attempts RETURNING log_path'),
      session.sql('DELETE FROM jobs'),
      session.sql('DELETE FROM workers'),
      session.sql('DELETE FROM environments'),
    ]);
    tellAll(connection, session);
    return { jobs: jobs.count, logPaths: logPathsOf(attempts.rows) };
  }, LONG);
}

const ARE_GONE = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE seq = ANY($1::bigint[]))';

async function removeSeqs(session: Session, seqs: readonly number[]): Promise<Removed> {
  session.provenBy(ARE_GONE, [seqs]);
  if (seqs.length === 0) return { jobs: 0, logPaths: [] };
  const [, attempts, jobs] = await Promise.all([
    session.sql('DELETE FROM outputs WHERE job_seq = ANY($1::bigint[])', [seqs]),
    session.sql('DELETE FROM attempts WHERE job_seq = ANY($1::bigint[]) RETURNING log_path', [seqs]),
    session.sql('DELETE FROM jobs WHERE seq = ANY($1::bigint[])', [seqs]),
  ]);
  return { jobs: jobs.count, logPaths: logPathsOf(attempts.rows) };
}

interface Expected {
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
}

/** The jobs, locked. Throws for the first one that does not exist or is in another state. */
async function expect(
  session: Session,
  ids: readonly string[],
  allowed: readonly JobState[],
  verb: string,
): Promise<Expected[]> {
  const known = ids.filter((id) => !id.includes('\0'));
  const { rows } = await session.sql(
    'SELECT seq, id, state FROM jobs WHERE id = ANY($1::text[]) ORDER BY seq FOR UPDATE',
    [known],
  );
  const jobs = new Map((rows as unknown as Expected[]).map((job) => [job.id, job]));
  for (const id of ids) {
    const job = jobs.get(id);
    if (!job) throw new QueueError('job_not_found', { id });
    if (!allowed.includes(job.state)) throw wrongState(id, job.state, allowed, verb);
  }
  return [...jobs.values()];
}

function wrongState(id: string, state: JobState, allowed: readonly JobState[], verb: string): QueueError {
  const hint =
    state === 'processing' ? `it runs now; to end it: queuectl cancel ${id}` : `queuectl show ${id}`;
  return new QueueError('wrong_state', { id, state, verb, allowed: allowed.join(', '), hint });
}
