// The places of waiting jobs in line, and the reasons why jobs wait.

import { READINESS } from '../../job/readiness.ts';
import { gateParts, HAS_TOO_LARGE, HEADS_OF_SIZES, type SweptGates, sweptSizes } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import type {
  ClaimWish,
  Gate,
  Line,
  Lingering,
  Rechecked,
  RecheckedSizes,
  StoredWait,
  WaitCounts,
  Waits,
} from '../store.ts';
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
import type { Connection, Session } from './session/connection.ts';
import {
  addFreed,
  chooseWithin,
  fittingSizes,
  fullGate,
  releaseTooLarge,
  runningJobs,
  sweepGates,
  useOf,
} from './limits.ts';
import { currentTimeIn, now, seqsOf } from './rows.ts';
import { wakeWorkers } from './wake.ts';

const JOB = `${WAITING_JOB} $1`;
const LINE = lineOf({ queue: '$1', priority: '$2', seq: '$3', now: now('$4') });

export async function waitOfJob(connection: Connection, id: string): Promise<StoredWait | null> {
  if (id.includes('\0')) return null;
  return connection.read(async (session) => {
    const { rows } = await session.sql(JOB, [id]);
    const [job] = rows;
    if (!job) return null;
    const full = async () => (isClaimable(job) ? fullGate(session, job) : null);
    const gate = isAtGate(job) ? String(job.waits_at) : await full();
    return {
      gate: gate === null ? null : await gateOf(session, gate, String(job.queue)),
      line: Number(job.ready) === READINESS.ready ? await line(session, job, connection.givenNow) : null,
      isClaimable: isClaimable(job),
    };
  });
}

async function line(session: Session, job: Row, givenNow: number | null): Promise<Line> {
  const { rows } = await session.sql(LINE, [job.queue, job.priority, job.seq, givenNow]);
  return lineFrom(rows[0]);
}

async function gateOf(session: Session, name: string, queue: string): Promise<Gate> {
  const { column, value } = gateParts(name);
  const [holders, use, next] = await Promise.all([
    session.sql(holdersOf(column, '$1', runningJobs), [value]),
    useOf(session, name),
    session.sql(nextAtGate(column, '$1', '$2', '$3'), [value, name, queue]),
  ]);
  const [row] = holders.rows;
  return {
    name,
    ...use,
    next: next.rows[0] === undefined ? null : String(next.rows[0].id),
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

/** Reads first, because there is almost never anything to write. */
async function recheck(connection: Connection, after: string): Promise<Rechecked> {
  const { forgotten, next } = await connection.read((session) => sweepGates(session, after));
  if (forgotten.length > 0)
    await connection.write(async (session) => {
      await addFreed(session, forgotten);
      wakeWorkers(connection, session);
    });
  return { found: forgotten.length, next };
}

async function recheckSizes(connection: Connection, after: number): Promise<RecheckedSizes> {
  const { rows } = await connection.query(`SELECT ${HAS_TOO_LARGE} AS found`, []);
  if (!rows[0]?.found) return sweptSizes([]);
  return connection.write(async (session) => {
    const released = await releaseTooLarge(session, after);
    if (released.length > 0) wakeWorkers(connection, session);
    return sweptSizes(released);
  });
}

async function heads(session: Session, dueBefore: number): Promise<string[]> {
  const found = await Promise.all([
    session.sql(FIRST_IN_LINE, [dueBefore]),
    session.sql(OVERDUE, [dueBefore]),
    session.sql(HEADS_OF_SIZES),
  ]);
  const ids = found.flatMap(({ rows }) => rows.map(({ id }) => String(id)));
  for (let after: string | null = ''; after !== null; ) {
    const swept: SweptGates = await sweepGates(session, after);
    ids.push(...swept.ids);
    after = swept.next;
  }
  return ids;
}

async function wouldClaim(connection: Connection, session: Session, wish: ClaimWish): Promise<string[]> {
  const time = await currentTimeIn(connection, session);
  const sizes = await fittingSizes(session, wish);
  const { taken } = await chooseWithin(session, wish, sizes, time, '');
  const found = await session.sql('SELECT id FROM jobs WHERE seq = ANY($1::bigint[])', [seqsOf(taken)]);
  return found.rows.map(({ id }) => String(id));
}

const FIRST_IN_LINE = firstInLine('$1::bigint');
const OVERDUE = overdue('$1::bigint');

export const waitsOf = (connection: Connection): Waits => ({
  ofJob: (id) => waitOfJob(connection, id),
  counts: (queue, atMost) => waitCounts(connection, queue, atMost),
  lingering: (heldBefore) => lingering(connection, heldBefore),
  recheck: (after) => recheck(connection, after),
  recheckSizes: (after) => recheckSizes(connection, after),
  heads: (dueBefore) => connection.read((session) => heads(session, dueBefore)),
  wouldClaim: (wish) => connection.read((session) => wouldClaim(connection, session, wish)),
});
