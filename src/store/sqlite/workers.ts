// Workers: heartbeats, stop requests, and requeuing the jobs of lost workers.

import { lostAfter, type RetryPolicy, TRANSITIONS } from '../../job/lifecycle.ts';
import { NEW_WORKER_COLUMNS, newWorkerValues } from '../rows/rows.ts';
import { runningOn } from '../shared/workers.ts';
import type { Lease, NewWorker, Rescued, Running, SignOfLife, StopMode } from '../store.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Connection } from './connection.ts';
import { runSteps } from './database.ts';
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
  return connection.sql('SELECT seq, runs AS run FROM jobs WHERE locked_by = ?').all(id) as unknown as Lease[];
}

/** A forced stop cannot become graceful again. */
const STOP = `
  UPDATE workers SET stop_requested = ?
  WHERE id IN (SELECT value FROM json_each(?)) AND stop_requested IS NOT 'force'`;

export function requestStop(connection: Connection, ids: readonly string[], mode: StopMode): void {
  connection.sql(STOP).run(mode, JSON.stringify(ids)); // runs even for no workers, so that a read-only database is reported
}

/** A condemned worker stays condemned, whatever its heartbeat. Without `$seen`, any heartbeat is accepted. */
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
  return changes === 0 ? null : runSteps(connection, runningOn(id));
}

const FORGET = 'DELETE FROM workers WHERE id = ? AND condemned_at IS NOT NULL';

export function rescue(connection: Connection, id: string, policy: RetryPolicy, now: number): Rescued[] | null {
  const { changes } = connection.sql(FORGET).run(id);
  if (changes === 0) return null;
  const tallies = new Tallies();
  const rescued = runSteps(connection, runningOn(id)).map((attempt) => {
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
