// The place of waiting jobs in line, and counts by what they wait for.

import { READINESS } from '../../job/readiness.ts';
import { gateParts, HAS_TOO_LARGE, HEADS_OF_SIZES, sweptSizes } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { ClaimWish, Gate, Rechecked, RecheckedSizes, StoredWait, WaitCounts, Waits } from '../store.ts';
import {
  countsFrom,
  countsOfWaits,
  firstInLine,
  holdersOf,
  isAtGate,
  isClaimable,
  lineFrom,
  lineOf,
  lingeringFrom,
  lingeringOf,
  nextAtGate,
  overdue,
  WAITING_JOB,
} from '../rows/wait-rows.ts';
import { room } from './claim.ts';
import type { Connection } from './connection.ts';
import { chooseWithin, fullGate, releaseTooLarge, runningJobs, sweepGates, useOf } from './limits.ts';
import { queueLimits } from './queues.ts';

const LINE = lineOf({ queue: '$queue', priority: '$priority', seq: '$seq', now: '$now' });

function waitOfJob(connection: Connection, id: string, now: number): StoredWait | null {
  const job = connection.sql(`${WAITING_JOB} ?`).get(id) as Row | undefined;
  if (!job) return null;
  const { seq, queue, priority } = job as { seq: number; queue: string; priority: number };
  const line = (): Row | undefined =>
    connection.sql(LINE).get({ $queue: queue, $priority: priority, $seq: seq, $now: now });
  const gate = isAtGate(job) ? String(job.waits_at) : isClaimable(job) ? fullGate(connection, job) : null;
  return {
    gate: gate === null ? null : gateOf(connection, gate, queue),
    line: job.ready === READINESS.ready ? lineFrom(line()) : null,
    isClaimable: isClaimable(job),
  };
}

function gateOf(connection: Connection, name: string, queue: string): Gate {
  const { column, value } = gateParts(name);
  const row = connection.sql(holdersOf(column, '?', runningJobs)).get(value);
  const next = connection
    .sql(nextAtGate(column, '$value', '$gate', '$queue'))
    .get({ $value: value, $gate: name, $queue: queue });
  return {
    name,
    ...useOf(connection, name),
    next: next === undefined ? null : String(next.id),
    holder: row ? { id: String(row.id), since: Number(row.locked_at) } : null,
  };
}

function waitCounts(connection: Connection, queue: string | undefined, atMost: number | undefined): WaitCounts {
  const row =
    queue === undefined
      ? connection.sql(countsOfWaits(null, atMost)).get()
      : connection.sql(countsOfWaits('$queue', atMost)).get({ $queue: queue });
  return countsFrom(row);
}

/** Looks without writing first, because there is rarely anything to do. */
async function recheck(connection: Connection, after: string, wake: () => void): Promise<Rechecked> {
  const { forgotten, next } = await connection.read(() => sweepGates(connection, after));
  if (forgotten.length > 0) {
    await connection.write(() => {
      for (const gate of forgotten) connection.sql('INSERT OR IGNORE INTO freed_gates VALUES (?)').run(gate);
    });
    wake();
  }
  return { found: forgotten.length, next };
}

async function recheckSizes(connection: Connection, after: number, wake: () => void): Promise<RecheckedSizes> {
  const isAny = await connection.read(() => connection.sql(`SELECT ${HAS_TOO_LARGE} AS found`).get()?.found);
  if (isAny !== 1) return sweptSizes([]);
  const released = await connection.write(() => releaseTooLarge(connection, after));
  if (released.length > 0) wake();
  return sweptSizes(released);
}

function heads(connection: Connection, dueBefore: number): string[] {
  const found = [
    ...connection.sql(FIRST_IN_LINE).all({ $due: dueBefore }),
    ...connection.sql(OVERDUE).all({ $due: dueBefore }),
    ...connection.sql(HEADS_OF_SIZES).all(),
  ].map((row) => String(row.id));
  for (let after: string | null = ''; after !== null; ) {
    const swept = sweepGates(connection, after);
    found.push(...swept.ids);
    after = swept.next;
  }
  return found;
}

function wouldClaim(connection: Connection, wish: ClaimWish, now: number): string[] {
  const jobs = room(connection, wish.maxConcurrentJobs);
  const { taken } = chooseWithin(connection, wish, queueLimits(connection), jobs, now);
  return taken.map(({ seq }) => String(connection.sql('SELECT id FROM jobs WHERE seq = ?').get(seq)?.id));
}

const FIRST_IN_LINE = firstInLine('$due');
const OVERDUE = overdue('$due');

export const waitsOf = (connection: Connection, clock: () => number, wake: () => void): Waits => ({
  ofJob: (id) => connection.read(() => waitOfJob(connection, id, clock())),
  counts: (queue, atMost) => connection.read(() => waitCounts(connection, queue, atMost)),
  lingering: (heldBefore) => connection.read(() => lingeringFrom(connection.sql(lingeringOf('?')).get(heldBefore))),
  recheck: (after) => recheck(connection, after, wake),
  recheckSizes: (after) => recheckSizes(connection, after, wake),
  heads: (dueBefore) => connection.read(() => heads(connection, dueBefore)),
  wouldClaim: (wish) => connection.read(() => wouldClaim(connection, wish, clock())),
});
