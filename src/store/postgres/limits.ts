// Claiming under limits: which ready jobs may run, and which waiting ones are let in when a place becomes free.
// Who runs behind a gate is counted from the jobs themselves, by indexes that hold just those. One counts at a time, and
// counts what the one before has claimed: a transaction that gets here holds the lock of all limits until its end.

import {
  afterStarts,
  type Choice,
  choose,
  DEFAULT_KEY_CONCURRENCY,
  EVERY_QUEUE,
  groupGate,
  keyGate,
  type QueueLimit,
  type Room,
} from '../../job/limits.ts';
import { confinementOf, reservedBy } from '../../job/confinement.ts';
import { READINESS } from '../../job/readiness.ts';
import {
  CANDIDATE_COLUMNS,
  candidateOf,
  GATE_AT_ONCE,
  gateParts,
  inOrder,
  LOOK_BEYOND,
  LOOKS_IN_A_TURN,
  memoryAfter,
  memoryRoom,
  queueRooms,
  refillOf,
} from '../limit-rows.ts';
import { type Row, weightOf } from '../rows.ts';
import type { Turn } from '../store.ts';
import { type Claim, limitKnown, mayClaim, NO_CLAIM, QUEUES_WITH_READY, RUNNING, takeSeqs } from './claim.ts';
import type { Session } from './connection.ts';
import { queueLimits } from './queues.ts';
import { columnsOf } from './rows.ts';

/** The lock is held. Looks a few times: jobs that are set aside make way for others. */
export async function claimWithin(session: Session, turn: Turn, time: number): Promise<Claim> {
  const isMoreFreed = await refillFreed(session);
  if (turn.want <= 0 || !(await isAllowed(session, turn))) return { ...NO_CLAIM, more: isMoreFreed };
  const rows: Row[] = [];
  for (let looks = 0; looks < LOOKS_IN_A_TURN; looks++) {
    const want = turn.want - rows.reduce((sum, row) => sum + weightOf(row), 0);
    const memory = memoryAfter(turn, rows.map(reservationIn(turn)));
    const choice = await chooseWithin(session, { ...turn, want, memory }, time);
    rows.push(...(await takeSeqs(session, turn, choice.taken, time)));
    await countStarts(session, choice, time);
    await setAside(session, choice);
    if (choice.setAside.length === 0) return { rows, more: isMoreFreed };
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

interface LimitedChoice extends Choice {
  readonly limits: readonly QueueLimit[];
}

async function chooseWithin(session: Session, turn: Turn, time: number): Promise<LimitedChoice> {
  const limits = await queueLimits(session);
  const isAllPaused = limits.some(({ queue, pausedAt }) => queue === EVERY_QUEUE && pausedAt !== null);
  const jobs = await jobRoom(session, turn);
  if (isAllPaused || turn.want <= 0 || jobs <= 0) return { taken: [], setAside: [], limits };
  const running = await runningIn(session, limits);
  const queues = queueRooms(limits, (queue) => running.get(queue) ?? 0, time);
  const rows = inOrder(await readyRows(session, turn, queues));
  const groups = await limitedGroups(session, rows);
  const candidates = rows.map((row) => candidateOf(row, new Set(groups.keys()), turn));
  const gates = await gateRooms(session, rows, groups);
  const slots = turn.slots ?? Number.POSITIVE_INFINITY;
  const room: Room = { ...memoryRoom(turn), freeSlots: turn.want, slots, jobs, queues, gates };
  return { ...choose(candidates, room), limits };
}

async function jobRoom(session: Session, { maxConcurrentJobs }: Turn): Promise<number> {
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

async function readyRows(session: Session, turn: Turn, rooms: ReadonlyMap<string, number>): Promise<Row[]> {
  if (turn.only !== undefined) {
    const statement = `SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE id = $1 AND ready = 1 FOR UPDATE SKIP LOCKED`;
    return (await session.sql(statement, [turn.only])).rows;
  }
  const all = turn.queues ?? (await session.sql(QUEUES_WITH_READY)).rows.map(({ queue }) => String(queue));
  const open = all.filter((queue) => rooms.get(queue) !== 0);
  const found = await Promise.all(
    open.map((queue) =>
      session.sql(
        `SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE ready = 1 AND queue = $1
         ORDER BY priority DESC, seq LIMIT ${turn.want + LOOK_BEYOND} FOR UPDATE SKIP LOCKED`,
        [queue],
      ),
    ),
  );
  return found.flatMap(({ rows }) => rows);
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

async function gateRooms(
  session: Session,
  rows: readonly Row[],
  groups: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const limits = new Map<string, number>();
  for (const row of rows.filter(({ gated }) => gated === 1)) {
    if (row.key !== null) {
      const gate = keyGate(String(row.key));
      limits.set(gate, limits.get(gate) ?? keyLimit(row));
    }
    const limit = groups.get(String(row.group_name));
    if (limit !== undefined) limits.set(groupGate(String(row.group_name)), limit);
  }
  const counted = await Promise.all(
    [...limits].map(
      async ([gate, limit]): Promise<[string, number]> => [
        gate,
        limit - (await runningBehind(session, gate)),
      ],
    ),
  );
  return new Map(counted);
}

const keyLimit = (row: Row): number => Number(row.key_concurrency ?? DEFAULT_KEY_CONCURRENCY);

async function runningBehind(session: Session, gate: string): Promise<number> {
  const { column, value } = gateParts(gate);
  const statement = `SELECT count(*) AS n FROM jobs WHERE locked_by IS NOT NULL AND ${column} = $1`;
  return Number((await session.sql(statement, [value])).rows[0]?.n);
}

/** Jobs that found a gate full, and with them all others that wait at the same gate. */
async function setAside(session: Session, { setAside }: Choice): Promise<void> {
  for (const gate of new Set(setAside.map((one) => one.gate))) {
    const { column, value } = gateParts(gate);
    await session.sql(
      `UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = $1 WHERE seq = ANY(ARRAY(
         SELECT seq FROM jobs WHERE ready = 1 AND ${column} = $2 AND gated = 1 ORDER BY seq
         LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
      [gate, value],
    );
  }
  for (const { seq, gate } of setAside) await bringAlong(session, seq, gate);
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

/** Lets in the jobs that may pass now. Returns whether there are more gates to look at. */
async function refillFreed(session: Session): Promise<boolean> {
  const { rows } = await session.sql(TAKE_FREED);
  for (const gate of new Set(rows.map((row) => String(row.gate)))) await refill(session, gate);
  return rows.length === GATES_AT_ONCE;
}

const NEXT_QUEUE = `
  SELECT queue, key_concurrency FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $1 AND queue > $2
  ORDER BY queue, priority DESC, seq LIMIT 1`;

async function refill(session: Session, gate: string): Promise<void> {
  for (let queue = ''; ; ) {
    const [row] = (await session.sql(NEXT_QUEUE, [gate, queue])).rows;
    if (!row) return;
    queue = String(row.queue);
    await refillQueue(session, gate, queue, await placesAt(session, gate, row));
  }
}

/** When the limit of a group is gone, all its waiting jobs are let in. */
async function placesAt(session: Session, gate: string, row: Row): Promise<number> {
  const { column, value } = gateParts(gate);
  const limit =
    column === 'key'
      ? keyLimit(row)
      : (await limitedGroups(session, [{ gated: 1, group_name: value }])).get(value);
  return limit === undefined
    ? GATE_AT_ONCE
    : Math.min(GATE_AT_ONCE, limit - (await runningBehind(session, gate)));
}

const CHANGE = 'UPDATE jobs SET ready = $1, waits_at = $2 WHERE seq = ANY($3::bigint[])';

async function refillQueue(session: Session, gate: string, queue: string, places: number): Promise<void> {
  const { column, value } = gateParts(gate);
  const [ready, waiting] = await Promise.all([
    session.sql(
      `SELECT seq, priority FROM jobs WHERE ready = 1 AND ${column} = $1 AND queue = $2
       ORDER BY seq LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED`,
      [value, queue],
    ),
    session.sql(
      `SELECT seq, priority FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $1 AND queue = $2
       ORDER BY priority DESC, seq LIMIT ${Math.max(0, places)} FOR UPDATE SKIP LOCKED`,
      [gate, queue],
    ),
  ]);
  const { enter, leave } = refillOf(ready.rows, waiting.rows, places);
  if (enter.length === 0) return;
  await session.sql(CHANGE, [READINESS.ready, null, enter]);
  if (leave.length > 0) await session.sql(CHANGE, [READINESS.atGate, gate, leave]);
  if (enter.length === GATE_AT_ONCE) await session.sql('INSERT INTO freed_gates (gate) VALUES ($1)', [gate]);
}
