// Workers: their signs of life, the wish that they stop, and taking back what a dead one held.

import type { RetryPolicy } from '../../job/lifecycle.ts';
import { attemptOf, lostAfter, type Row, workerOf } from '../rows.ts';
import type { Lease, NewWorker, Rescued, Running, StopMode, WorkerRecord } from '../store.ts';
import type { Connection } from './connection.ts';
import { settle } from './settle.ts';

export function register(connection: Connection, worker: NewWorker, now: number): void {
  connection
    .sql(`
      INSERT INTO workers (id, host, pid, pid_started_at, boot_id, queues, concurrency, started_at, last_heartbeat)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      worker.id,
      worker.host,
      worker.pid,
      worker.pidStartedAt,
      worker.bootId,
      worker.queues === null ? null : JSON.stringify(worker.queues),
      worker.concurrency,
      now,
      now,
    );
}

export function renew(
  connection: Connection,
  id: string,
  notice: string | null,
  now: number,
): Lease[] | null {
  const { changes } = connection
    .sql('UPDATE workers SET last_heartbeat = ?, notice = ? WHERE id = ?')
    .run(now, notice, id);
  if (changes === 0) return null;
  return connection
    .sql('SELECT seq, runs AS number FROM jobs WHERE locked_by = ?')
    .all(id) as unknown as Lease[];
}

export function all(connection: Connection): WorkerRecord[] {
  const rows = connection.sql('SELECT * FROM workers ORDER BY started_at, id').all() as Row[];
  return rows.map((row) =>
    workerOf(
      row,
      runningOn(connection, row.id as string).map(({ jobId }) => jobId),
    ),
  );
}

/** A wish for force stays one. */
const STOP = `UPDATE workers SET stop_requested = ? WHERE id = ? AND stop_requested IS NOT 'force'`;

export function requestStop(connection: Connection, ids: readonly string[], mode: StopMode): void {
  for (const id of ids) connection.sql(STOP).run(mode, id);
}

export function runningOn(connection: Connection, id: string): Running[] {
  const rows = connection
    .sql(`
      SELECT a.*, j.seq, j.id AS job_id FROM jobs j JOIN attempts a ON a.job_seq = j.seq AND a.number = j.runs
      WHERE j.locked_by = ? ORDER BY j.seq`)
    .all(id) as Row[];
  return rows.map((row) => ({ ...attemptOf(row), seq: row.seq as number, jobId: row.job_id as string }));
}

/** Without a heartbeat to compare with, any will do. */
const FORGET = 'DELETE FROM workers WHERE id = $id AND last_heartbeat = coalesce($heartbeat, last_heartbeat)';

export function rescue(
  connection: Connection,
  id: string,
  policy: RetryPolicy,
  lastHeartbeat: number | undefined,
  now: number,
): Rescued[] | null {
  const held = runningOn(connection, id);
  const { changes } = connection.sql(FORGET).run({ $id: id, $heartbeat: lastHeartbeat ?? null });
  if (changes === 0) return null;
  return held.map((attempt) => {
    const ending = lostAfter(now - attempt.startedAt);
    const { state } = settle(connection, { seq: attempt.seq, number: attempt.number, ending }, policy, now);
    return {
      jobId: attempt.jobId,
      number: attempt.number,
      logPath: attempt.logPath,
      state: state ?? 'pending',
    };
  });
}
