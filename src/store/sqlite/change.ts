// What a person does to jobs: retry, cancel, remove. Given ids are changed all together or not at all.

import { QueueError } from '../../errors.ts';
import { FINAL_STATES, type Job, type JobState } from '../../job/job.ts';
import { allows, TRANSITIONS } from '../../job/lifecycle.ts';
import { logPathsOf, quoted, type Row } from '../rows.ts';
import type { JobFilter, PruneQuery, Removed } from '../store.ts';
import type { Connection } from './connection.ts';
import { get, matchingSeqs } from './query.ts';

const RETRY = `
  UPDATE jobs SET state = '${TRANSITIONS.retry.to}', ready = 1, attempts = 0, interruptions_in_row = 0,
    next_run_at = $now, run_at = NULL, finished_at = NULL, updated_at = $now
  WHERE state IN (${quoted(TRANSITIONS.retry.from)})`;

export function retry(
  connection: Connection,
  ids: readonly string[],
  states: readonly JobState[],
  now: number,
): Job[] {
  const retryable = states.filter((state) => allows('retry', state));
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

const CANCELLABLE: readonly JobState[] = [...TRANSITIONS.cancel.from, ...TRANSITIONS.stop.from];

/** A running job is only marked: ending it is up to the worker that holds it. */
export function cancel(connection: Connection, ids: readonly string[], now: number): Job[] {
  for (const id of ids) {
    const { seq, state } = expect(connection, id, CANCELLABLE, 'cancel');
    connection.sql(allows('stop', state) ? MARK : CANCEL).run({ $now: now, $seq: seq });
  }
  return read(connection, ids);
}

const MARK = 'UPDATE jobs SET cancel_requested_at = $now, updated_at = $now WHERE seq = $seq';
const CANCEL = `
  UPDATE jobs SET state = '${TRANSITIONS.cancel.to}', ready = 0, next_run_at = NULL, finished_at = $now,
    updated_at = $now
  WHERE seq = $seq`;

const REMOVABLE: readonly JobState[] = ['blocked', 'pending', 'failed', ...FINAL_STATES];

export function remove(connection: Connection, ids: readonly string[]): Removed {
  return removeSeqs(
    connection,
    ids.map((id) => expect(connection, id, REMOVABLE, 'delete').seq),
  );
}

export function prunable(connection: Connection, query: PruneQuery): number {
  return finalStates(query).reduce((sum, state) => {
    const { where, values } = finishedJobs(state, query);
    return sum + Number(connection.sql(`SELECT count(*) AS n FROM jobs WHERE ${where}`).get(values)?.n);
  }, 0);
}

/** Removes at most `limit` jobs, the longest finished first. */
export function prune(connection: Connection, query: PruneQuery, limit: number): Removed {
  const seqs = finalStates(query).flatMap((state) => {
    const { where, values } = finishedJobs(state, query);
    const rows = connection
      .sql(`SELECT seq FROM jobs WHERE ${where} ORDER BY finished_at LIMIT $limit`)
      .all({ ...values, $limit: limit });
    return rows.map((row) => Number(row.seq));
  });
  return removeSeqs(connection, seqs.slice(0, limit));
}

const finalStates = (query: PruneQuery): readonly JobState[] =>
  FINAL_STATES.filter((state) => query.states.includes(state));

function finishedJobs(
  state: JobState,
  query: PruneQuery,
): { where: string; values: Record<string, string | number> } {
  const finished = `state = $state AND finished_at IS NOT NULL ${query.queue === undefined ? '' : 'AND queue = $queue'}`;
  return {
    where: `${finished} AND finished_at < $before AND seq NOT IN (
      SELECT seq FROM jobs WHERE ${finished} ORDER BY finished_at DESC, seq DESC LIMIT $keep)`,
    values: {
      $state: state,
      $before: query.finishedBefore ?? Number.MAX_SAFE_INTEGER,
      $keep: query.keep ?? 0,
      ...(query.queue === undefined ? {} : { $queue: query.queue }),
    },
  };
}

export function reset(connection: Connection): Removed {
  const { jobs, logPaths } = removeWhere(connection, '1', []);
  connection.sql('DELETE FROM counters').run();
  connection.sql('DELETE FROM workers').run();
  connection.sql('DELETE FROM environments').run();
  return { jobs, logPaths };
}

const removeSeqs = (connection: Connection, seqs: readonly number[]): Removed =>
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
  if (!row) throw new QueueError('job_not_found', { id });
  const state = row.state as JobState;
  if (!allowed.includes(state)) throw wrongState(id, state, allowed, verb);
  return { seq: Number(row.seq), state };
}

function wrongState(id: string, state: JobState, allowed: readonly JobState[], verb: string): QueueError {
  const hint =
    state === 'processing' ? `it runs now; to end it: queuectl cancel ${id}` : `queuectl show ${id}`;
  return new QueueError('wrong_state', { id, state, verb, allowed: allowed.join(', '), hint });
}

const read = (connection: Connection, ids: readonly string[]): Job[] =>
  ids.map((id) => get(connection, id)).filter((job) => job !== null);
