// Claiming under limits: which ready jobs may run, and which waiting ones become ready when a slot becomes free.
// What runs behind a gate is counted from the jobs themselves, by indexes that hold only those. One transaction counts at a
// time, and counts what the one before has claimed: it holds the lock of all limits until its end.

import {
  ALL_SIZES,
  afterStarts,
  type Choice,
  choose,
  EVERY_QUEUE,
  type GateUse,
  gateRoom,
  type QueueLimit,
  type Room,
  sizesWithin,
} from '../../job/flow/concurrency.ts';
import { confinementOf, reservedBy } from '../../job/isolation/isolation.ts';
import { READINESS } from '../../job/readiness.ts';
import {
  CANDIDATE_COLUMNS,
  candidateOf,
  GATE_AT_ONCE,
  gateParts,
  gateUseFrom,
  gateUseOf,
  gatesWithWaiting,
  inOrder,
  keyLimit,
  LOOKS_IN_A_TURN,
  memoryAfter,
  memoryRoom,
  queueRooms,
  refillOf,
  SIZES_AT_ONCE,
  SWEPT_AT_ONCE,
  type RunningJobs,
  type SweptGates,
  sizeOfWorker,
  sweepFrom,
  sweptGates,
  widened,
  windowOf,
} from '../rows/limit-rows.ts';
import { type Row, weightOf } from '../rows/rows.ts';
import type { ClaimWish, Turn } from '../store.ts';
import { type Claim, limitKnown, mayClaim, NO_CLAIM, QUEUES_WITH_READY, RUNNING, takeSeqs } from './claim.ts';
import type { Session } from './session/connection.ts';
import { queueLimits } from './queues.ts';
import { columnsOf } from './rows.ts';

/** The lock is held. Looks a few times: jobs that are set aside make way for others. */
export async function claimWithin(session: Session, turn: Turn, time: number): Promise<Claim> {
  const isMoreFreed = await refillFreed(session);
  if (turn.want <= 0 || !(await isAllowed(session, turn))) return { ...NO_CLAIM, more: isMoreFreed };
  const rows: Row[] = [];
  const sizes = await fittingSizes(session, turn);
  let isAnyTooLarge = false;
  for (let looks = 0; looks < LOOKS_IN_A_TURN; looks++) {
    const want = turn.want - rows.reduce((sum, row) => sum + weightOf(row), 0);
    const memory = memoryAfter(turn, rows.map(reservationIn(turn)));
    const choice = await chooseWithin(session, { ...turn, want, memory }, sizes, time);
    rows.push(...(await takeSeqs(session, turn, choice.taken, time)));
    await countStarts(session, choice, time);
    await setAside(session, choice);
    // A worker for one job finds it again wherever it waits, so another look would find the same.
    if (choice.setAside.length + choice.tooLarge.length === 0 || turn.only !== undefined)
      return { rows, more: isMoreFreed || isAnyTooLarge };
    isAnyTooLarge ||= choice.tooLarge.length > 0; // it may have left a slot of its key, which the next turn gives away
  }
  return { rows, more: true };
}

const reservationIn =
  ({ memory }: Turn) =>
  ({ confinement, queue }: Row): { bytes: number } => ({
    bytes: reservedBy(confinementOf(confinement) ?? null, memory?.ofQueues?.[String(queue)]),
  });

async function isAllowed(session: Session, turn: Turn): Promise<boolean> {
  const statement = `SELECT ${mayClaim('$1', '$2')} AS may`;
  const { rows } = await session.sql(statement, [turn.worker.id, limitKnown(turn)]);
  return Boolean(rows[0]?.may);
}

/** A choice that is only looked at locks nothing. */
type Lock = 'FOR UPDATE SKIP LOCKED' | '';

/** What a claim would take now. Writes nothing. */
export async function wouldClaim(session: Session, turn: ClaimWish, time: number): Promise<number[]> {
  const { taken } = await chooseWithin(session, turn, await fittingSizes(session, turn), time, '');
  return taken.map(({ seq }) => seq);
}

const NOTHING: Choice = { taken: [], setAside: [], tooLarge: [], outOfMemory: [], hasRoom: false };

interface LimitedChoice extends Choice {
  readonly limits: readonly QueueLimit[];
}

async function chooseWithin(
  session: Session,
  turn: ClaimWish,
  sizes: readonly string[],
  time: number,
  lock: Lock = 'FOR UPDATE SKIP LOCKED',
): Promise<LimitedChoice> {
  const limits = await queueLimits(session);
  const isAllPaused = limits.some(({ queue, pausedAt }) => queue === EVERY_QUEUE && pausedAt !== null);
  const jobs = await jobRoom(session, turn);
  if (isAllPaused || turn.want <= 0 || jobs <= 0) return { ...NOTHING, limits };
  const running = await runningIn(session, limits);
  const queues = queueRooms(limits, (queue) => running.get(queue) ?? 0, time);
  const rows = inOrder(await readyRows(session, turn, sizes, queues, lock));
  const groups = await limitedGroups(session, rows);
  const candidates = rows.map((row) => candidateOf(row, groups, turn));
  const names = new Set(candidates.flatMap(({ gates }) => gates.map(({ name }) => name)));
  const gates = new Map(
    await Promise.all(
      [...names].map(async (name): Promise<[string, GateUse]> => [name, await useOf(session, name)]),
    ),
  );
  const { slots } = sizeOfWorker(turn);
  const room: Room = { ...memoryRoom(turn), freeSlots: turn.want, slots, jobs, queues, gates };
  return { ...widened(choose(candidates, room), rows, turn), limits };
}

async function jobRoom(session: Session, { maxConcurrentJobs }: ClaimWish): Promise<number> {
  if (maxConcurrentJobs === null) return Number.POSITIVE_INFINITY;
  const { rows } = await session.sql(`SELECT (${RUNNING}) AS n`);
  return maxConcurrentJobs - Number(rows[0]?.n);
}

const RUNNING_IN = 'SELECT queue, count(*) AS n FROM jobs WHERE locked_by IS NOT NULL GROUP BY queue';

async function runningIn(session: Session, limits: readonly QueueLimit[]): Promise<Map<string, number>> {
  if (limits.every(({ concurrency }) => concurrency === null)) return new Map();
  const { rows } = await session.sql(RUNNING_IN);
  return new Map(rows.map((row) => [String(row.queue), Number(row.n)]));
}

async function readyRows(
  session: Session,
  turn: ClaimWish,
  sizes: readonly string[],
  rooms: ReadonlyMap<string, number>,
  lock: Lock,
): Promise<Row[]> {
  if (turn.only !== undefined) {
    // A worker for one job does not stand in line behind others of its key or group.
    const statement = `SELECT ${CANDIDATE_COLUMNS} FROM jobs
      WHERE id = $1 AND ready IN (${READINESS.ready}, ${READINESS.atGate}) ${lock}`;
    return (await session.sql(statement, [turn.only])).rows;
  }
  const all = turn.queues ?? (await queuesToLookAt(session, sizes));
  const open = all.filter((queue) => rooms.get(queue) !== 0);
  const best = (where: string, limit: number, values: readonly string[]) =>
    session.sql(
      `SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE ${where}
       ORDER BY priority DESC, seq LIMIT ${limit} ${lock}`,
      [...values],
    );
  const found = await Promise.all(
    open.flatMap((queue) => [
      best('ready = 1 AND queue = $1', windowOf(turn), [queue]),
      ...sizes.map((size) => best(`${AT_GATE} AND waits_at = $2 AND queue = $1`, turn.want, [queue, size])),
    ]),
  );
  return found.flatMap(({ rows }) => rows);
}

const AT_GATE = `ready = ${READINESS.atGate}`;

/** Queues with ready jobs, and those with jobs of these sizes. */
async function queuesToLookAt(session: Session, sizes: readonly string[]): Promise<string[]> {
  const ofSizes = `SELECT DISTINCT queue FROM jobs WHERE ${AT_GATE} AND waits_at = ANY($1::text[])`;
  const found = await Promise.all([
    session.sql(QUEUES_WITH_READY),
    ...(sizes.length > 0 ? [session.sql(ofSizes, [sizes])] : []),
  ]);
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ queue }) => String(queue))))];
}

const nextSize = (above: string): string => `
  SELECT waits_at FROM jobs WHERE ${AT_GATE} AND waits_at > ${above} AND waits_at <= $2::text
  ORDER BY waits_at LIMIT 1`;

/** From one size to the next along the index of waiting jobs: above $1, up to $2. */
const SIZES = `
  WITH RECURSIVE found AS ((${nextSize('$1::text')})
    UNION ALL SELECT (${nextSize('found.waits_at')}) FROM found WHERE found.waits_at IS NOT NULL)
  SELECT waits_at FROM found WHERE waits_at IS NOT NULL LIMIT ${SIZES_AT_ONCE}`;

/** The sizes of jobs that were too large for other workers and fit this one. */
async function fittingSizes(session: Session, turn: ClaimWish): Promise<string[]> {
  if (turn.only !== undefined) return [];
  const found = await Promise.all(
    sizesWithin(sizeOfWorker(turn)).map((range) => session.sql(SIZES, [...range])),
  );
  return found.flatMap(({ rows }) => rows.map(({ waits_at }) => String(waits_at)));
}

const LIMITED_GROUPS = `
  SELECT name, concurrency FROM groups WHERE name = ANY($1::text[]) AND concurrency IS NOT NULL`;

/** How many of each group may run, of those among these rows that have a limit. */
async function limitedGroups(session: Session, rows: readonly Row[]): Promise<Map<string, number>> {
  const names = new Set(
    rows.filter(({ gated }) => gated === 1).flatMap(({ group_name }) => group_name ?? []),
  );
  if (names.size === 0) return new Map();
  const given = columnsOf(
    [...names].map((name) => [name]),
    1,
  );
  const { rows: groups } = await session.sql(LIMITED_GROUPS, given);
  return new Map(groups.map((row) => [String(row.name), Number(row.concurrency)]));
}

/** Statistics tell the planner which index is small. */
export const runningJobs: RunningJobs = (_, alias) => `jobs ${alias}`;

export async function useOf(session: Session, gate: string): Promise<GateUse> {
  const { column, value } = gateParts(gate);
  return gateUseFrom((await session.sql(gateUseOf(column, '$1', runningJobs), [value])).rows[0]);
}

/** The gate that a claim would find full for this job, or null. */
export async function fullGate(session: Session, job: Row): Promise<string | null> {
  const { gates } = candidateOf(job, await limitedGroups(session, [job]), {});
  for (const { name, limit } of gates) if (gateRoom(await useOf(session, name), limit) <= 0) return name;
  return null;
}

const SET_ASIDE = `
  UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = given.at
  FROM unnest($1::bigint[], $2::text[]) AS given (seq, at) WHERE jobs.seq = given.seq`;

/** Jobs that found a gate full, and with them all others that wait at the same gate; and those that are too large. */
async function setAside(session: Session, { setAside, tooLarge }: Choice): Promise<void> {
  // One by one also those at a gate: they may have been found under their size.
  const all = [...tooLarge, ...setAside];
  if (all.length > 0) await session.sql(SET_ASIDE, [all.map(({ seq }) => seq), all.map(({ at }) => at)]);
  for (const gate of new Set(setAside.map(({ at }) => at))) {
    const { column, value } = gateParts(gate);
    await session.sql(
      `UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = $1 WHERE seq = ANY(ARRAY(
         SELECT seq FROM jobs WHERE ready = 1 AND ${column} = $2 AND gated = 1 ORDER BY seq
         LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
      [gate, value],
    );
  }
  for (const { seq, at } of setAside) await bringAlong(session, seq, at);
}

/** Others that wait at the other gate of this job, and would be sent on to this one, one after another. */
async function bringAlong(session: Session, seq: number, gate: string): Promise<void> {
  const { rows } = await session.sql('SELECT key, group_name FROM jobs WHERE seq = $1', [seq]);
  const { column, value } = gateParts(gate);
  const other = column === 'key' ? rows[0]?.group_name : rows[0]?.key;
  if (other === null || other === undefined) return;
  await session.sql(
    `UPDATE jobs SET waits_at = $1 WHERE seq = ANY(ARRAY(
       SELECT seq FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $2 AND ${column} = $3 ORDER BY seq
       LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
    [gate, `${column === 'key' ? 'group' : 'key'}:${other}`, value],
  );
}

/** Each start moves the time on at which the queue may start one more. */
async function countStarts(session: Session, { limits, taken }: LimitedChoice, time: number): Promise<void> {
  const perQueue = Map.groupBy(taken, ({ queue }) => queue);
  for (const limit of limits) {
    const starts = perQueue.get(limit.queue)?.length;
    if (limit.ratePerSecond === null || starts === undefined) continue;
    await session.sql('UPDATE queue_limits SET not_before = $2 WHERE queue = $1', [
      limit.queue,
      afterStarts(limit, starts, time),
    ]);
  }
}

const GATES_AT_ONCE = 100;
const TAKE_FREED = `
  DELETE FROM freed_gates WHERE number = ANY(ARRAY(
    SELECT number FROM freed_gates ORDER BY number LIMIT ${GATES_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING gate`;

/** Makes ready the jobs that have a slot now. Returns whether there are more gates to look at. */
async function refillFreed(session: Session): Promise<boolean> {
  const { rows } = await session.sql(TAKE_FREED);
  for (const gate of new Set(rows.map((row) => String(row.gate)))) await refill(session, gate);
  return rows.length === GATES_AT_ONCE;
}

const NEXT_QUEUE = `
  SELECT queue, key_concurrency FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $1 AND queue > $2
  ORDER BY queue, priority DESC, seq LIMIT 1`;

async function refill(session: Session, gate: string): Promise<void> {
  for (const row of await headsAt(session, gate))
    await refillQueue(session, gate, String(row.queue), await placesAt(session, gate, row));
}

/** The best waiting job at the gate of each queue: others of its queue stay behind it, whatever their own limit is. */
async function headsAt(session: Session, gate: string): Promise<Row[]> {
  const heads: Row[] = [];
  for (let queue = ''; ; ) {
    const [row] = (await session.sql(NEXT_QUEUE, [gate, queue])).rows;
    if (!row) return heads;
    queue = String(row.queue);
    heads.push(row);
  }
}

/** When the limit of a group is gone, all its waiting jobs become ready. */
async function placesAt(session: Session, gate: string, row: Row): Promise<number> {
  const { column, value } = gateParts(gate);
  const limit =
    column === 'key'
      ? keyLimit(row)
      : (await limitedGroups(session, [{ gated: 1, group_name: value }])).get(value);
  return limit === undefined
    ? GATE_AT_ONCE
    : Math.min(GATE_AT_ONCE, gateRoom(await useOf(session, gate), limit));
}

const GATES_WITH_WAITING = gatesWithWaiting('$1::text', '$2::text', runningJobs);

/** Looks at a bounded number of gates that jobs wait at, after this place. */
export async function sweepGates(session: Session, after: string): Promise<SweptGates> {
  return sweptGates((await session.sql(GATES_WITH_WAITING, sweepFrom(after))).rows);
}

export const addFreed = (session: Session, gates: readonly string[]): Promise<unknown> =>
  session.sql('INSERT INTO freed_gates (gate) SELECT unnest($1::text[])', [gates]);

const RELEASE_TOO_LARGE = `
  UPDATE jobs SET ready = ${READINESS.ready}, waits_at = NULL WHERE seq = ANY(ARRAY(
    SELECT seq FROM jobs WHERE ${AT_GATE} AND waits_at > '${ALL_SIZES[0]}' AND waits_at < '${ALL_SIZES[1]}'
      AND seq > $1::bigint ORDER BY seq LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)) RETURNING seq`;

/** Returns the jobs that wait in line again. Settings may have changed since they were found to be too large. */
export const releaseTooLarge = async (session: Session, after: number): Promise<number[]> =>
  (await session.sql(RELEASE_TOO_LARGE, [after])).rows.map(({ seq }) => Number(seq));

const CHANGE = 'UPDATE jobs SET ready = $1, waits_at = $2 WHERE seq = ANY($3::bigint[])';

async function refillQueue(session: Session, gate: string, queue: string, places: number): Promise<void> {
  const { column, value } = gateParts(gate);
  const wanted = Math.max(0, places);
  const best = `SELECT seq, priority FROM jobs WHERE ${AT_GATE} AND waits_at = $1 AND queue = $2
    ORDER BY priority DESC, seq LIMIT ${wanted}`;
  const [ready, there, waiting] = await Promise.all([
    session.sql(
      `SELECT seq, priority FROM jobs WHERE ready = 1 AND ${column} = $1 AND queue = $2
       ORDER BY seq LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED`,
      [value, queue],
    ),
    session.sql(`SELECT count(*) AS n FROM (${best}) best`, [gate, queue]),
    session.sql(`${best} FOR UPDATE SKIP LOCKED`, [gate, queue]),
  ]);
  // Another transaction holds some of them and may leave them as they are, so the next turn looks again.
  if (waiting.rows.length < Number(there.rows[0]?.n)) await addFreed(session, [gate]);
  const { enter, leave } = refillOf(ready.rows, waiting.rows, places);
  if (enter.length === 0) return;
  await session.sql(CHANGE, [READINESS.ready, null, enter]);
  if (leave.length > 0) await session.sql(CHANGE, [READINESS.atGate, gate, leave]);
  if (enter.length === GATE_AT_ONCE) await addFreed(session, [gate]);
}
