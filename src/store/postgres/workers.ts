// Workers: their signs of life, the wish that they stop, and taking back what a dead one held.

import type { RetryPolicy } from '../../job/lifecycle.ts';
import { attemptOf, lostAfter, type Row, workerOf } from '../rows.ts';
import type { Lease, NewWorker, Rescued, Running, StopMode, WorkerRecord } from '../store.ts';
import type { Connection, Session } from './connection.ts';
import { now } from './rows.ts';
import { held, settle } from './settle.ts';
import { tellAll } from './wake.ts';

export async function register(connection: Connection, session: Session, worker: NewWorker): Promise<void> {
  await session.sql(
    `INSERT INTO workers (id, host, pid, pid_started_at, boot_id, queues, concurrency, started_at, last_heartbeat)
     VALUES ($1, $2, $3, $4, $5, $6, $7, ${now('$8')}, ${now('$8')})`,
    [
      worker.id,
      worker.host,
      worker.pid,
      worker.pidStartedAt,
      worker.bootId,
      worker.queues === null ? null : JSON.stringify(worker.queues),
      worker.concurrency,
      connection.givenNow,
    ],
  );
}

/** A rescue that took the leases away has removed the row with them. */
const RENEW = `
  WITH renewed AS (UPDATE workers SET last_heartbeat = ${now('$3')}, notice = $2 WHERE id = $1 RETURNING id)
  SELECT (SELECT id FROM renewed) IS NOT NULL AS known,
    (SELECT coalesce(json_agg(json_build_object('seq', seq, 'number', runs) ORDER BY seq), '[]')
      FROM jobs WHERE locked_by = $1) AS leases`;

export async function renew(
  connection: Connection,
  id: string,
  notice: string | null,
): Promise<Lease[] | null> {
  const { rows } = await connection.query(RENEW, [id, notice, connection.givenNow]);
  return rows[0]?.known ? (rows[0].leases as Lease[]) : null;
}

const ALL = `
  SELECT w.*, (SELECT coalesce(json_agg(j.id ORDER BY j.seq), '[]') FROM jobs j WHERE j.locked_by = w.id) AS running
  FROM workers w ORDER BY started_at, id`;

export async function all(connection: Connection): Promise<WorkerRecord[]> {
  const { rows } = await connection.query(ALL);
  return rows.map((row) => workerOf(row, row.running as string[]));
}

/** A wish for force stays one. Rows are locked in one order, as several may ask at once. */
const STOP = `
  WITH meant AS (SELECT id FROM workers WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE)
  UPDATE workers SET stop_requested = $2
  WHERE id = ANY(ARRAY(SELECT id FROM meant)) AND stop_requested IS DISTINCT FROM 'force'`;

export async function requestStop(session: Session, ids: readonly string[], mode: StopMode): Promise<void> {
  await session.sql(STOP, [ids, mode]);
}

const RUNNING_ON = `
  SELECT a.*, j.seq, j.id AS job_id FROM jobs j JOIN attempts a ON a.job_seq = j.seq AND a.number = j.runs
  WHERE j.locked_by = $1 ORDER BY j.seq`;

const runningOf = (row: Row): Running => ({
  ...attemptOf(row),
  seq: row.seq as number,
  jobId: row.job_id as string,
});

export async function runningOn(connection: Connection, id: string): Promise<Running[]> {
  return (await connection.query(RUNNING_ON, [id])).rows.map(runningOf);
}

/** Without a heartbeat to compare with, any will do. */
const FORGET = `
  DELETE FROM workers WHERE id = $1 AND last_heartbeat = coalesce($2::bigint, last_heartbeat)
  RETURNING ${now('$3')} AS now`;

/**
 * The worker goes first. That waits for a turn of its own that is under way, and every later one finds it gone; so
 * what it holds after that is all that it will ever hold.
 */
export async function rescue(
  connection: Connection,
  session: Session,
  id: string,
  policy: RetryPolicy,
  lastHeartbeat: number | undefined,
): Promise<Rescued[] | null> {
  const [gone] = (await session.sql(FORGET, [id, lastHeartbeat ?? null, connection.givenNow])).rows;
  if (!gone) return null;
  const running = (await session.sql(RUNNING_ON, [id])).rows.map(runningOf);
  const time = Number(gone.now);
  const ended = running.map(({ seq, number, startedAt }) => ({
    seq,
    number,
    ending: lostAfter(time - startedAt),
  }));
  const settled = settle(session, ended, await held(session, ended), policy, time);
  tellAll(connection, session);
  return running.map(({ jobId, number, logPath }, i) => ({
    jobId,
    number,
    logPath,
    state: settled[i]?.state ?? 'pending',
  }));
}
