// Taking jobs: due ones are promoted from waiting to ready, then the best ready ones change hands.
// Both cost O(log n) whatever else is in the table, because each question has an index of just its jobs.

import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { NO_OUTPUT_TEXT } from '../../job/output.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { PROMOTE_AT_ONCE, WAITING } from '../due.ts';
import { claimedTaskOf, quoted, type Row, TASK_COLUMNS } from '../rows.ts';
import type { Claimed, Turn } from '../store.ts';
import type { Connection } from './connection.ts';
import { variablesOf } from './environments.ts';

export function promote(connection: Connection, now: number): { more: boolean } {
  const { changes } = connection
    .sql(`
      UPDATE jobs SET ready = 1 WHERE seq IN (
        SELECT seq FROM jobs WHERE ${WAITING}
          AND state IN (${quoted(CLAIMABLE_STATES)}) AND next_run_at <= ?
        LIMIT ${PROMOTE_AT_ONCE})`)
    .run(now);
  return { more: changes === PROMOTE_AT_ONCE };
}

/** When the next waiting job becomes due, or the next one in the given state. */
export function nextDueAt(
  connection: Connection,
  states: readonly JobState[] = CLAIMABLE_STATES,
): number | null {
  const times = states.map((state) => {
    const row = connection
      .sql(`
        SELECT next_run_at AS at FROM jobs WHERE ${WAITING} AND state = ?
        ORDER BY next_run_at LIMIT 1`)
      .get(state);
    return (row?.at as number | undefined) ?? null;
  });
  return times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

/** Whether a claim would find anything, without writing. */
export function hasReady(connection: Connection, turn: Turn): boolean {
  return candidates(connection, turn, 1).size > 0;
}

export function claim(connection: Connection, turn: Turn, now: number): Claimed[] {
  const count = Math.min(turn.want, room(connection, turn.maxConcurrentJobs));
  if (count <= 0) return [];
  const waiting = candidates(connection, turn, count);
  if (waiting.size === 0) return [];
  const rows = connection
    .sql(`
      UPDATE jobs SET state = '${TRANSITIONS.claim.to}', ready = 0, attempts = attempts + 1, runs = runs + 1,
        next_run_at = NULL, started_at = $now, finished_at = NULL, duration_ms = NULL, updated_at = $now,
        locked_by = $worker, locked_at = $now
      WHERE seq IN (SELECT value FROM json_each($seqs)) RETURNING seq, runs, priority, ${TASK_COLUMNS}`)
    .all({ $now: now, $worker: turn.worker.id, $seqs: JSON.stringify([...waiting.keys()]) }) as Row[];
  return rows
    .sort((a, b) => Number(b.priority) - Number(a.priority) || Number(a.seq) - Number(b.seq))
    .map((row) => begin(connection, turn, row, waiting.get(row.seq as number) ?? now, now));
}

function begin(connection: Connection, turn: Turn, row: Row, dueAt: number, now: number): Claimed {
  const task = claimedTaskOf(row);
  const { job } = task;
  const [seq, number] = [row.seq as number, row.runs as number];
  const logPath = turn.logPath(job.id, number);
  connection
    .sql(`
      INSERT INTO attempts (job_seq, number, attempt, worker_id, host, boot_id, started_at, waited_ms, log_path, output)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '${NO_OUTPUT_TEXT}')`)
    .run(
      seq,
      number,
      job.attempts,
      turn.worker.id,
      turn.worker.host,
      turn.worker.bootId,
      now,
      Math.max(0, now - dueAt),
      logPath,
    );
  const environment = variablesOf(connection, row.environment_id as number | null);
  return { seq, number, ...task, environment, logPath };
}

/** How many more may run under max_concurrent_jobs. */
function room(connection: Connection, limit: number | null): number {
  if (limit === null) return Number.MAX_SAFE_INTEGER;
  const row = connection
    .sql(`SELECT sum(n) AS n FROM counters WHERE state = '${TRANSITIONS.claim.to}'`)
    .get();
  return limit - Number(row?.n ?? 0);
}

/**
 * The best of each queue, then the best of those: the index is by queue, and queues are few. A bare `LIMIT $count` would
 * be planned anew for each value, which takes five times as long as the answer.
 */
const CANDIDATES = (queues: string): string => `
  SELECT j.seq, j.next_run_at FROM (${queues}) q
  CROSS JOIN jobs j ON j.seq IN (
    SELECT seq FROM jobs WHERE ready = 1 AND queue = q.queue ORDER BY priority DESC, seq LIMIT 0 + $count)
  ORDER BY j.priority DESC, j.seq LIMIT 0 + $count`;

const FROM_ANY = CANDIDATES(
  `SELECT DISTINCT queue FROM counters WHERE state IN (${quoted(CLAIMABLE_STATES)}) AND n > 0`,
);
const FROM_SOME = CANDIDATES('SELECT DISTINCT value AS queue FROM json_each($queues)');

/** What to claim, and since when each could have run. */
function candidates(connection: Connection, turn: Turn, count: number): Map<number, number> {
  const rows = candidateRows(connection, turn, count);
  return new Map(rows.map((row) => [row.seq as number, row.next_run_at as number]));
}

function candidateRows(connection: Connection, turn: Turn, count: number): Row[] {
  if (turn.only !== undefined) {
    return connection.sql('SELECT seq, next_run_at FROM jobs WHERE id = ? AND ready = 1').all(turn.only);
  }
  if (turn.queues === null) return connection.sql(FROM_ANY).all({ $count: count });
  return connection.sql(FROM_SOME).all({ $count: count, $queues: JSON.stringify(turn.queues) });
}
