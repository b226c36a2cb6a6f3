// Workers: heartbeats, stop requests, and requeuing the jobs of dead workers.

import { lostAfter, type RetryPolicy, TRANSITIONS } from '../../job/lifecycle.ts';
import { NEW_WORKER_COLUMNS, newWorkerValues } from '../rows/rows.ts';
import { runningOn } from '../shared/workers.ts';
import type { Lease, NewWorker, Rescued, Running, SignOfLife, StopMode } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { Tallies } from '../../series/tallies.ts';
import { runSteps } from './database.ts';
import { now } from './rows.ts';
import { tally } from './tally.ts';
import { held, settle } from './settle.ts';
import { wakeWorkers } from './wake.ts';

const REGISTER = `
  INSERT INTO workers (${NEW_WORKER_COLUMNS.join(', ')}, started_at, last_heartbeat)
  SELECT ${NEW_WORKER_COLUMNS.map((_, i) => `$${i + 2}`).join(', ')}, ${now('$1')}, ${now('$1')}`;

export async function register(connection: Connection, session: Session, worker: NewWorker): Promise<void> {
  await session.sql(REGISTER, [connection.givenNow, ...newWorkerValues(worker)]);
}

/** A condemned or removed worker renews nothing. */
const RENEW = `
  WITH renewed AS (
    UPDATE workers SET last_heartbeat = ${now('$4')}, notice = $2, lease_ms = $3
    WHERE id = $1 AND condemned_at IS NULL RETURNING id)
  SELECT (SELECT id FROM renewed) IS NOT NULL AS known,
    (SELECT coalesce(json_agg(json_build_object('seq', seq, 'run', runs) ORDER BY seq), '[]')
      FROM jobs WHERE locked_by = $1) AS leases`;

export async function renew(
  connection: Connection,
  id: string,
  { notice, leaseMs }: SignOfLife,
): Promise<Lease[] | null> {
  const { rows } = await connection.query(RENEW, [id, notice, leaseMs, connection.givenNow]);
  return rows[0]?.known ? (rows[0].leases as Lease[]) : null;
}

/** A request for a forced stop is kept. Rows are locked in a fixed order, because several clients may request a stop at once. */
const STOP = `
  WITH meant AS (SELECT id FROM workers WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE workers SET stop_requested = $2
  WHERE id = ANY(ARRAY(SELECT id FROM meant)) AND stop_requested IS DISTINCT FROM 'force'`;

export async function requestStop(session: Session, ids: readonly string[], mode: StopMode): Promise<void> {
  await session.sql(STOP, [ids, mode]);
}

/**
 * The lock waits for the current turn of the worker, and later turns find the worker condemned. So the worker never holds more jobs
 * than it does now. If no heartbeat is given, any heartbeat matches.
 */
const CONDEMN = `
  WITH meant AS (
    SELECT id FROM workers
    WHERE id = $1 AND (condemned_at IS NOT NULL OR last_heartbeat = coalesce($2::bigint, last_heartbeat))
    FOR UPDATE)
  UPDATE workers SET condemned_at = coalesce(condemned_at, ${now('$3')}) WHERE id = (SELECT id FROM meant)`;

export async function condemn(
  connection: Connection,
  session: Session,
  id: string,
  seenHeartbeat: number | undefined,
): Promise<Running[] | null> {
  const { count } = await session.sql(CONDEMN, [id, seenHeartbeat ?? null, connection.givenNow]);
  return count === 0 ? null : runSteps(session, runningOn(id));
}

const FORGET = `DELETE FROM workers WHERE id = $1 AND condemned_at IS NOT NULL RETURNING ${now('$2')} AS now`;

export async function rescue(
  connection: Connection,
  session: Session,
  id: string,
  policy: RetryPolicy,
): Promise<Rescued[] | null> {
  const [gone] = (await session.sql(FORGET, [id, connection.givenNow])).rows;
  if (!gone) return null;
  const running = await runSteps(session, runningOn(id));
  const time = Number(gone.now);
  const ended = running.map(({ seq, run, startedAt }) => ({
    seq,
    run,
    ending: lostAfter(time - startedAt),
  }));
  const tallies = new Tallies();
  const settled = settle(session, ended, await held(session, ended), policy, tallies, time);
  tally(session, tallies, time);
  wakeWorkers(connection, session);
  return running.map(({ jobId, run, logPath }, i) => ({
    jobId,
    run,
    logPath,
    state: settled[i]?.state ?? TRANSITIONS.release.to,
  }));
}
