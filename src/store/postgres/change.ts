// Manual changes: retry, cancel and delete. The given jobs are changed all together or not at all.
// Jobs are locked in the order of seq and then read, so that a decision still holds when it is written.

import { checkState } from '../../job/check-state.ts';
import type { Job, JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { CANCELLABLE_STATES, isRunning, REMOVABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { logPathsOf, quoted, TABLES_OF_JOBS } from '../rows/rows.ts';
import { NOT_OF_SCHEDULE } from '../rows/schedule-rows.ts';
import type { Removed } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { addOwedHookJobs } from './hooks.ts';
import { getAll } from './database.ts';
import { Tallies } from '../../series/tallies.ts';
import { now, seqsOf } from './rows.ts';
import { tally } from './tally.ts';
import { wakeWorkers } from './wake.ts';

const LONG = { withinMs: LONG_MS };

const RETRY = `
  UPDATE jobs SET state = '${TRANSITIONS.retry.to}', ready = 1, attempts = 0, interruptions_in_row = 0, snoozes = 0,
    next_run_at = ${now('$1')}, run_at = NULL, held = NULL, finished_at = NULL, updated_at = ${now('$1')}
  WHERE seq = ANY($2::bigint[]) RETURNING seq, runs`;

export function retry(connection: Connection, ids: readonly string[], states: readonly JobState[]): Promise<Job[]> {
  const retryable = states.filter((state) => RETRYABLE_STATES.includes(state));
  return connection.write(async (session) => {
    const jobs = await expect(session, ids, retryable, 'retry');
    await retrySeqs(connection, session, seqsOf(jobs));
    wakeWorkers(connection, session);
    return getAll(session, ids);
  });
}

/** A retried job that has run and finished since may be in a retryable state again, but has more runs. */
const IS_ANY_RETRIED = `
  SELECT 1 FROM jobs JOIN unnest($1::bigint[], $2::bigint[]) AS given (seq, runs) USING (seq)
  WHERE state NOT IN (${quoted(RETRYABLE_STATES)}) OR jobs.runs > given.runs LIMIT 1`;

/** The jobs are locked and in a retryable state. */
export async function retrySeqs(connection: Connection, session: Session, seqs: readonly number[]): Promise<void> {
  await addOwedHookJobs(connection, session, seqs);
  const { rows } = await session.sql(RETRY, [connection.givenNow, seqs]);
  session.provenBy(IS_ANY_RETRIED, [rows.map(({ seq }) => seq), rows.map(({ runs }) => runs)]);
}

export function cancel(connection: Connection, ids: readonly string[]): Promise<Job[]> {
  return connection.write(async (session) => {
    await cancelIn(connection, session, ids);
    return getAll(session, ids);
  });
}

/** For a transaction of the caller. */
export async function cancelIn(connection: Connection, session: Session, ids: readonly string[]): Promise<void> {
  await cancelJobs(connection, session, await expect(session, ids, CANCELLABLE_STATES, 'cancel'));
  wakeWorkers(connection, session);
}

/** The jobs are locked. A running job is only marked; its worker stops it. */
export async function cancelJobs(
  connection: Connection,
  session: Session,
  jobs: readonly Pick<Expected, 'seq' | 'state'>[],
): Promise<void> {
  const given = (chosen: typeof jobs): unknown[] => [connection.givenNow, seqsOf(chosen)];
  const [, cancelled] = await Promise.all([
    session.sql(MARK, given(jobs.filter(({ state }) => isRunning(state)))),
    session.sql(CANCEL, given(jobs.filter(({ state }) => !isRunning(state)))),
  ]);
  session.provenBy(IS_ANY_CANCELLED, [seqsOf(jobs)]);
  const tallies = new Tallies();
  for (const { queue } of cancelled.rows) tallies.cancelled(String(queue));
  tally(session, tallies, connection.givenNow);
}

const IS_ANY_CANCELLED = `
  SELECT 1 FROM jobs WHERE seq = ANY($1::bigint[])
    AND (state = '${TRANSITIONS.cancel.to}' OR cancel_requested_at IS NOT NULL) LIMIT 1`;
const MARK = `
  UPDATE jobs SET cancel_requested_at = ${now('$1')}, updated_at = ${now('$1')} WHERE seq = ANY($2::bigint[])`;
const CANCEL = `
  UPDATE jobs SET state = '${TRANSITIONS.cancel.to}', ready = 0, next_run_at = NULL, held = NULL,
    finished_at = ${now('$1')}, updated_at = ${now('$1')}
  WHERE seq = ANY($2::bigint[]) RETURNING queue`;

export function remove(connection: Connection, ids: readonly string[]): Promise<Removed> {
  return connection.write(async (session) => {
    const jobs = await expect(session, ids, REMOVABLE_STATES, 'delete');
    return removeSeqs(connection, session, seqsOf(jobs));
  });
}

/** Locks out all other writers, in the order in which a turn, a rescue and an enqueue take their locks. */
export function reset(connection: Connection): Promise<Removed> {
  return connection.write(async (session) => {
    await session.sql('LOCK TABLE workers, environments, jobs IN EXCLUSIVE MODE');
    const { rows } = await session.sql('SELECT min(seq) AS first FROM jobs');
    session.provenBy(ARE_GONE, [[rows[0]?.first ?? 0]]);
    const [attempts, jobs] = await Promise.all([
      session.sql('DELETE FROM attempts RETURNING log_path'),
      session.sql('DELETE FROM jobs'),
      ...[...TABLES_OF_JOBS, ...TABLES_OF_RESET].map((table) => session.sql(`DELETE FROM ${table}`)),
      session.sql(`DELETE FROM environments WHERE ${NOT_OF_SCHEDULE}`),
    ]);
    wakeWorkers(connection, session);
    return { jobs: jobs.count, logPaths: logPathsOf(attempts.rows) };
  }, LONG);
}

/** In this order, because deleting jobs inserts rows into the last ones. */
const TABLES_OF_RESET = ['workers', 'groups', 'group_counters', 'endings', 'freed_gates', 'tallies', 'series'];

const ARE_GONE = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE seq = ANY($1::bigint[]))';

export async function removeSeqs(connection: Connection, session: Session, seqs: readonly number[]): Promise<Removed> {
  session.provenBy(ARE_GONE, [seqs]);
  if (seqs.length === 0) return { jobs: 0, logPaths: [] };
  await addOwedHookJobs(connection, session, seqs);
  const [attempts, jobs] = await Promise.all([
    session.sql('DELETE FROM attempts WHERE job_seq = ANY($1::bigint[]) RETURNING log_path', [seqs]),
    session.sql('DELETE FROM jobs WHERE seq = ANY($1::bigint[])', [seqs]),
    ...TABLES_OF_JOBS.map((table) => session.sql(`DELETE FROM ${table} WHERE job_seq = ANY($1::bigint[])`, [seqs])),
  ]);
  return { jobs: jobs.count, logPaths: logPathsOf(attempts.rows) };
}

interface Expected {
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
}

/** Locks and returns the jobs. Throws for the first one that does not exist or is in another state. */
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
  for (const id of ids) checkState(id, jobs.get(id)?.state, allowed, verb);
  return [...jobs.values()];
}
