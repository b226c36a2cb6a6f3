// Changes by users: retry, cancel, delete. Each call changes all of the given jobs or none.

import { checkState } from '../../job/check-state.ts';
import type { Job, JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { CANCELLABLE_STATES, isRunning, REMOVABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { logPathsOf, quoted, type Row, TABLES_OF_JOBS } from '../rows/rows.ts';
import { NOT_OF_SCHEDULE } from '../rows/schedule-rows.ts';
import type { Removed } from '../store.ts';
import type { Connection } from './connection.ts';
import { addOwedHookJobs } from './hooks.ts';
import { Tallies } from '../../series/tallies.ts';
import { getAll, runSteps } from './database.ts';
import { forget } from '../shared/series.ts';
import { tally } from './tally.ts';

const RETRY = `
  UPDATE jobs SET state = '${TRANSITIONS.retry.to}', ready = 1, attempts = 0, interruptions_in_row = 0, snoozes = 0,
    next_run_at = $now, run_at = NULL, held = NULL, finished_at = NULL, updated_at = $now
  WHERE state IN (${quoted(RETRYABLE_STATES)})`;

export function retry(connection: Connection, ids: readonly string[], states: readonly JobState[], now: number): Job[] {
  const retryable = states.filter((state) => RETRYABLE_STATES.includes(state));
  const seqs = ids.map((id) => expect(connection, id, retryable, 'retry').seq);
  retrySeqs(connection, seqs, now);
  return getAll(connection, ids);
}

/** Retries those of the jobs whose state allows it. */
export function retrySeqs(connection: Connection, seqs: readonly number[], now: number): void {
  addOwedHookJobs(connection, seqs);
  connection
    .sql(`${RETRY} AND seq IN (SELECT value FROM json_each($seqs))`)
    .run({ $now: now, $seqs: JSON.stringify(seqs) });
}

export function cancel(connection: Connection, ids: readonly string[], now: number): Job[] {
  cancelJobs(
    connection,
    ids.map((id) => expect(connection, id, CANCELLABLE_STATES, 'cancel')),
    now,
  );
  return getAll(connection, ids);
}

export function cancelJobs(connection: Connection, jobs: readonly Expected[], now: number): void {
  const tallies = new Tallies();
  for (const job of jobs) cancelOne(connection, job, tallies, now);
  tally(connection, tallies, now);
}

/** A running job is only marked. The worker that holds it stops it. */
function cancelOne(connection: Connection, { seq, state }: Expected, tallies: Tallies, now: number): void {
  if (isRunning(state)) connection.sql(MARK).run({ $now: now, $seq: seq });
  else tallies.cancelled(String(connection.sql(CANCEL).get({ $now: now, $seq: seq })?.queue));
}

const MARK = 'UPDATE jobs SET cancel_requested_at = $now, updated_at = $now WHERE seq = $seq';
const CANCEL = `
  UPDATE jobs SET state = '${TRANSITIONS.cancel.to}', ready = 0, next_run_at = NULL, held = NULL,
    finished_at = $now, updated_at = $now
  WHERE seq = $seq RETURNING queue`;

export function remove(connection: Connection, ids: readonly string[]): Removed {
  return removeSeqs(
    connection,
    ids.map((id) => expect(connection, id, REMOVABLE_STATES, 'delete').seq),
  );
}

export function reset(connection: Connection): Removed {
  const { jobs, logPaths } = removeWhere(connection, '1', []);
  connection.sql('DELETE FROM counters').run();
  connection.sql('DELETE FROM workers').run();
  connection.sql(`DELETE FROM environments WHERE ${NOT_OF_SCHEDULE}`).run();
  for (const table of ['groups', 'group_counters', 'endings', 'freed_gates'])
    connection.sql(`DELETE FROM ${table}`).run();
  runSteps(connection, forget());
  return { jobs, logPaths };
}

export function removeSeqs(connection: Connection, seqs: readonly number[]): Removed {
  addOwedHookJobs(connection, seqs);
  return removeWhere(connection, 'job_seq IN (SELECT value FROM json_each(?))', [JSON.stringify(seqs)]);
}

function removeWhere(connection: Connection, where: string, values: readonly string[]): Removed {
  for (const table of TABLES_OF_JOBS) connection.sql(`DELETE FROM ${table} WHERE ${where}`).run(...values);
  const attempts = connection.sql(`DELETE FROM attempts WHERE ${where} RETURNING log_path`).all(...values) as Row[];
  const { changes } = connection.sql(`DELETE FROM jobs WHERE ${where.replace('job_seq', 'seq')}`).run(...values);
  return { jobs: Number(changes), logPaths: logPathsOf(attempts) };
}

interface Expected {
  readonly seq: number;
  readonly state: JobState;
}

/** Throws if the job does not exist, or if its state does not allow the change. */
export function expect(connection: Connection, id: string, allowed: readonly JobState[], verb: string): Expected {
  const row = connection.sql('SELECT seq, state FROM jobs WHERE id = ?').get(id);
  const state = row?.state as JobState | undefined;
  checkState(id, state, allowed, verb);
  return { seq: Number(row?.seq), state };
}
