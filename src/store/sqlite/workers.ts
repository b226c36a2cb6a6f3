// Workers: their signs of life, the wish that they stop, and taking back what a dead one held.

import { lostAfter, type RetryPolicy, TRANSITIONS } from '../../job/lifecycle.ts';
import { attemptOf, NEW_WORKER_COLUMNS, newWorkerValues, type Row, workerOf } from '../rows/rows.ts';
import type { Lease, NewWorker, Rescued, Running, SignOfLife, StopMode, WorkerRecord } from '../store.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Connection } from './connection.ts';
import { tally } from './tally.ts';
import { settle } from './settle.ts';

const REGISTER = `
  INSERT INTO workers (${NEW_WORKER_COLUMNS.join(', ')}, started_at, last_heartbeat)
  VALUES (${NEW_WORKER_COLUMNS.map(() => '?').join(', ')}, ?, ?)`;

export function register(connection: Connection, worker: NewWorker, now: number): void {
  connection.sql(REGISTER).run(...newWorkerValues(worker), now, now);
}

const RENEW = `
  UPDATE workers SET last_heartbeat = ?, notice = ?, lease_ms = ? WHERE id = ? AND condemned_at IS NULL`;

export function renew(
  connection: Connection,
  id: string,
  { notice, leaseMs }: SignOfLife,
  now: number,
): Lease[] | null {
  const { changes } = connection.sql(RENEW).run(now, notice, leaseMs, id);
  if (changes === 0) return null;
  return connection
    .sql('SELECT seq, runs AS run FROM jobs WHERE locked_by = ?')
    .all(id) as unknown as Lease[];
}

export function all(connection: Connection): WorkerRecord[] {
  const rows = connection.sql('SELECT * FROM workers ORDER BY started_at, id').all() as Row[];
  const held = connection
    .sql('SELECT locked_by, id FROM jobs WHERE locked_by IS NOT NULL ORDER BY locked_by, seq')
    .all();
  const running = Map.groupBy(held, ({ locked_by }) => locked_by);
  return rows.map((row) =>
    workerOf(
      row,
      (running.get(row.id as string) ?? []).map(({ id }) => String(id)),
    ),
  );
}

/** A wish for force stays one. */
const STOP = `
  UPDATE workers SET stop_requested = ?
  WHERE id IN (SELECT value FROM json_each(?)) AND stop_requested IS NOT 'force'`;

export function requestStop(connection: Connection, ids: readonly string[], mode: StopMode): void {
  connection.sql(STOP).run(mode, JSON.stringify(ids)); // also for none: refused where nothing can be written
}

export function runningOn(connection: Connection, id: string): Running[] {
  const rows = connection
    .sql(`
      SELECT a.*, j.seq, j.id AS job_id FROM jobs j JOIN attempts a ON a.job_seq = j.seq AND a.number = j.runs
      WHERE j.locked_by = ? ORDER BY j.seq`)
    .all(id) as Row[];
  return rows.map((row) => ({ ...attemptOf(row), seq: row.seq as number, jobId: row.job_id as string }));
}

/** One that is condemned stays so, whatever its heartbeat says. Without one to compare with, any will do. */
const CONDEMN = `
  UPDATE workers SET condemned_at = coalesce(condemned_at, $now)
  WHERE id = $id AND (condemned_at IS NOT NULL OR last_heartbeat = coalesce($seen, last_heartbeat))`;

export function condemn(
  connection: Connection,
  id: string,
  seenHeartbeat: number | undefined,
  now: number,
): Running[] | null {
  const { changes } = connection.sql(CONDEMN).run({ $id: id, $seen: seenHeartbeat ?? null, $now: now });
  return changes === 0 ? null : runningOn(connection, id);
}

const FORGET = 'DELETE FROM workers WHERE id = ? AND condemned_at IS NOT NULL';

export function rescue(
  connection: Connection,
  id: string,
  policy: RetryPolicy,
  now: number,
): Rescued[] | null {
  const { changes } = connection.sql(FORGET).run(id);
  if (changes === 0) return null;
  const tallies = new Tallies();
  const rescued = runningOn(connection, id).map((attempt) => {
    const ended = { seq: attempt.seq, run: attempt.run, ending: lostAfter(now - attempt.startedAt) };
    const { state } = settle(connection, ended, policy, tallies, now);
    return {
      jobId: attempt.jobId,
      run: attempt.run,
      logPath: attempt.logPath,
      state: state ?? TRANSITIONS.release.to,
    };
  });
  tally(connection, tallies, now);
  return rescued;
}
