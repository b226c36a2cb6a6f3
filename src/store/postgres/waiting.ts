// Where waiting jobs are in line, and how many wait for what.

import { READINESS } from '../../job/readiness.ts';
import { gateParts } from '../limit-rows.ts';
import type { Row } from '../rows.ts';
import type { Gate, Line, Lingering, StoredWait, WaitCounts, Waits } from '../store.ts';
import {
  countsFrom,
  countsOfWaits,
  holdersOf,
  lineFrom,
  lineOf,
  lingeringFrom,
  lingeringOf,
} from '../wait-rows.ts';
import type { Connection, Session } from './connection.ts';
import { now } from './rows.ts';

const JOB = 'SELECT seq, queue, priority, ready, waits_at FROM jobs WHERE id = $1';
const LINE = lineOf({ queue: '$1', priority: '$2', seq: '$3', now: now('$4') });

export async function waitOfJob(connection: Connection, id: string): Promise<StoredWait | null> {
  if (id.includes('\0')) return null;
  return connection.read(async (session) => {
    const { rows } = await session.sql(JOB, [id]);
    const [job] = rows;
    if (!job) return null;
    return {
      gate: Number(job.ready) === READINESS.atGate ? await gateOf(session, String(job.waits_at)) : null,
      line: Number(job.ready) === READINESS.ready ? await line(session, job, connection.givenNow) : null,
    };
  });
}

async function line(session: Session, job: Row, givenNow: number | null): Promise<Line> {
  const { rows } = await session.sql(LINE, [job.queue, job.priority, job.seq, givenNow]);
  return lineFrom(rows[0]);
}

async function gateOf(session: Session, name: string): Promise<Gate> {
  const { column, value } = gateParts(name);
  const { rows } = await session.sql(holdersOf(column, '$1'), [value]);
  const [row] = rows;
  return {
    name,
    running: Number(row?.n ?? 0),
    holder: row ? { id: String(row.id), since: Number(row.locked_at) } : null,
  };
}

export async function waitCounts(
  connection: Connection,
  queue: string | undefined,
  atMost: number | undefined,
): Promise<WaitCounts> {
  const { rows } =
    queue === undefined
      ? await connection.query(countsOfWaits(null, atMost), [])
      : await connection.query(countsOfWaits('$1', atMost), [queue.replaceAll('\0', '')]);
  return countsFrom(rows[0]);
}

export async function lingering(connection: Connection, heldBefore: number): Promise<Lingering> {
  const { rows } = await connection.query(lingeringOf('$1'), [heldBefore]);
  return lingeringFrom(rows[0]);
}

export const waitsOf = (connection: Connection): Waits => ({
  ofJob: (id) => waitOfJob(connection, id),
  counts: (queue, atMost) => waitCounts(connection, queue, atMost),
  lingering: (heldBefore) => lingering(connection, heldBefore),
});
