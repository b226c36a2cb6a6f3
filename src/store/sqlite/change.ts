// What a person does to jobs: retry, cancel, remove. Given ids are changed all together or not at all.

import { checkState } from '../../job/check-state.ts';
import type { Job, JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { CANCELLABLE_STATES, isRunning, REMOVABLE_STATES, RETRYABLE_STATES } from '../../job/state-sets.ts';
import { logPathsOf, quoted, type Row } from '../rows.ts';
import type { JobFilter, Removed } from '../store.ts';
import type { Connection } from './connection.ts';
import { matchingSeqs } from './list.ts';
import { get } from './query.ts';

const RETRY = `
  UPDATE jobs SET state = '${TRANSITIONS.retry.to}', ready = 1, attempts = 0, interruptions_in_row = 0,
    next_run_at = $now, run_at = NULL, finished_at = NULL, updated_at = $now
  WHERE state IN (${quoted(RETRYABLE_STATES)})`;

export function retry(
  connection: Connection,
  ids: readonly string[],
  states: readonly JobState[],
  now: number,
): Job[] {
  const retryable = states.filter((state) => RETRYABLE_STATES.includes(state));
  for (const id of ids) {
    const { seq } = expect(connection, id, retryable, 'retry');
    connection.sql(`${RETRY} AND seq = $seq`).run({ $now: now, $seq: seq });
  }
  return read(connection, ids);
}

export function retryAll(connection: Connection, filter: JobFilter, now: number): number {
  const seqs = matchingSeqs(connection, filter);
  const { changes } = connection
    .sql(`${RETRY} AND seq IN (SELECT value FROM json_each($seqs))`)
    .run({ $now: now, $seqs: JSON.stringify(seqs) });
  return Number(changes);
}

/** A running job is only marked: ending it is up to the worker that holds it. */
export function cancel(connection: Connection, ids: readonly string[], now: number): Job[] {
  for (const id of ids) {
    const { seq, state } = expect(connection, id, CANCELLABLE_STATES, 'cancel');
    connection.sql(isRunning(state) ? MARK : CANCEL).run({ $now: now, $seq: seq });
  }
  return read(connection, ids);
}

const MARK = 'UPDATE jobs SET cancel_requested_at = $now, updated_at = $now WHERE seq = $seq';
const CANCEL = `
  UPDATE jobs SET state = '${TRANSITIONS.cancel.to}', ready = 0, next_run_at = NULL, finished_at = $now,
    updated_at = $now
  WHERE seq = $seq`;

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
  connection.sql('DELETE FROM environments').run();
  return { jobs, logPaths };
}

export const removeSeqs = (connection: Connection, seqs: readonly number[]): Removed =>
  removeWhere(connection, 'job_seq IN (SELECT value FROM json_each(?))', [JSON.stringify(seqs)]);

function removeWhere(connection: Connection, where: string, values: readonly string[]): Removed {
  connection.sql(`DELETE FROM outputs WHERE ${where}`).run(...values);
  const attempts = connection
    .sql(`DELETE FROM attempts WHERE ${where} RETURNING log_path`)
    .all(...values) as Row[];
  const { changes } = connection
    .sql(`DELETE FROM jobs WHERE ${where.replace('job_seq', 'seq')}`)
    .run(...values);
  return { jobs: Number(changes), logPaths: logPathsOf(attempts) };
}

function expect(
  connection: Connection,
  id: string,
  allowed: readonly JobState[],
  verb: string,
): { seq: number; state: JobState } {
  const row = connection.sql('SELECT seq, state FROM jobs WHERE id = ?').get(id);
  const state = row?.state as JobState | undefined;
  checkState(id, state, allowed, verb);
  return { seq: Number(row?.seq), state };
}

const read = (connection: Connection, ids: readonly string[]): Job[] =>
  ids.map((id) => get(connection, id)).filter((job) => job !== null);
