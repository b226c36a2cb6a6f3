// Where waiting jobs are in line, and how many wait for what.

import { READINESS } from '../../job/readiness.ts';
import { gateParts } from '../limit-rows.ts';
import type { Row } from '../rows.ts';
import type { Gate, Lingering, StoredWait, WaitCounts, Waits } from '../store.ts';
import {
  countsFrom,
  countsOfWaits,
  holdersOf,
  lineFrom,
  lineOf,
  lingeringFrom,
  lingeringOf,
} from '../wait-rows.ts';
import type { Connection } from './connection.ts';

const LINE = lineOf({ queue: '$queue', priority: '$priority', seq: '$seq', now: '$now' });

export function waitOfJob(connection: Connection, id: string, now: number): StoredWait | null {
  const job = connection.sql('SELECT seq, queue, priority, ready, waits_at FROM jobs WHERE id = ?').get(id);
  if (!job) return null;
  const { seq, queue, priority } = job as { seq: number; queue: string; priority: number };
  const line = (): Row | undefined =>
    connection.sql(LINE).get({ $queue: queue, $priority: priority, $seq: seq, $now: now });
  return {
    gate: job.ready === READINESS.atGate ? gateOf(connection, String(job.waits_at)) : null,
    line: job.ready === READINESS.ready ? lineFrom(line()) : null,
  };
}

function gateOf(connection: Connection, name: string): Gate {
  const { column, value } = gateParts(name);
  const row = connection.sql(holdersOf(column, '?')).get(value);
  return {
    name,
    running: Number(row?.n ?? 0),
    holder: row ? { id: String(row.id), since: Number(row.locked_at) } : null,
  };
}

export function waitCounts(
  connection: Connection,
  queue: string | undefined,
  atMost: number | undefined,
): WaitCounts {
  const row =
    queue === undefined
      ? connection.sql(countsOfWaits(null, atMost)).get()
      : connection.sql(countsOfWaits('$queue', atMost)).get({ $queue: queue });
  return countsFrom(row);
}

export const lingering = (connection: Connection, heldBefore: number): Lingering =>
  lingeringFrom(connection.sql(lingeringOf('?')).get(heldBefore));

export const waitsOf = (connection: Connection, clock: () => number): Waits => ({
  ofJob: (id) => connection.read(() => waitOfJob(connection, id, clock())),
  counts: (queue, atMost) => connection.read(() => waitCounts(connection, queue, atMost)),
  lingering: (heldBefore) => connection.read(() => lingering(connection, heldBefore)),
});
