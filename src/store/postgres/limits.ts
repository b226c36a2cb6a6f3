// Claims under limits: which ready jobs may run, and which waiting jobs become ready when a slot becomes free.
// The running jobs at a gate are counted from the jobs themselves, with indexes that contain only those. One transaction counts
// at a time and sees what the one before it has claimed, because each holds the lock of all limits until its end.

import {
  ALL_SIZES,
  type Choice,
  type GateUse,
  gateRoom,
  type QueueLimit,
  sizesWithin,
} from '../../job/flow/concurrency.ts';
import { READINESS } from '../../job/readiness.ts';
import {
  CANDIDATE_COLUMNS,
  candidateOf,
  candidatesOf,
  chooseAmong,
  GATE_AT_ONCE,
  GATES_AT_ONCE,
  gateNames,
  gateParts,
  gateUseFrom,
  gateUseOf,
  gatesWithWaiting,
  groupNames,
  isAllPaused,
  keyLimit,
  limitsAfterStarts,
  NOTHING_CHOSEN,
  otherGate,
  queueRooms,
  refillOf,
  SIZES_AT_ONCE,
  SWEPT_AT_ONCE,
  type RunningJobs,
  type SweptGates,
  sizeOfWorker,
  sweepFrom,
  sweptGates,
  windowOf,
} from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { ClaimWish } from '../store.ts';
import type { Session } from './session/connection.ts';
import { QUEUES_WITH_READY, queueLimits } from './queues.ts';
import { columnsOf } from './rows.ts';

/** A choice that is not carried out locks nothing. */
type Lock = 'FOR UPDATE SKIP LOCKED' | '';

export interface LimitedChoice extends Choice {
  readonly limits: readonly QueueLimit[];
}

/** What to claim and what to set aside; writes nothing. */
export async function chooseWithin(
  session: Session,
  turn: ClaimWish,
  sizes: readonly string[],
  time: number,
  lock: Lock = 'FOR UPDATE SKIP LOCKED',
): Promise<LimitedChoice> {
  const limits = await queueLimits(session);
  const jobs = await jobRoom(session, turn);
  if (isAllPaused(limits) || turn.want <= 0 || jobs <= 0) return { ...NOTHING_CHOSEN, limits };
  const running = await runningIn(session, limits);
  const queues = queueRooms(limits, (queue) => running.get(queue) ?? 0, time);
  const rows = await readyRows(session, turn, sizes, queues, lock);
  const candidates = candidatesOf(rows, await limitedGroups(session, rows), turn);
  const uses = gateNames(candidates).map(
    async (name): Promise<[string, GateUse]> => [name, await useOf(session, name)],
  );
  const gates = new Map(await Promise.all(uses));
  return { ...chooseAmong(candidates, rows, turn, { jobs, queues, gates }), limits };
}

/** The number of running jobs of all workers. They are few, and an index contains only them. */
export const RUNNING = 'SELECT count(*) FROM jobs WHERE locked_by IS NOT NULL';

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
    // A worker for a single job does not wait for other jobs of its key or group.
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

/** Goes from one size to the next along the index of waiting jobs: above $1, up to $2. */
const SIZES = `
  WITH RECURSIVE found AS ((${nextSize('$1::text')})
    UNION ALL SELECT (${nextSize('found.waits_at')}) FROM found WHERE found.waits_at IS NOT NULL)
  SELECT waits_at FROM found WHERE waits_at IS NOT NULL LIMIT ${SIZES_AT_ONCE}`;

/** The sizes of jobs that were too large for other workers and fit this one. */
export async function fittingSizes(session: Session, turn: ClaimWish): Promise<string[]> {
  if (turn.only !== undefined) return [];
  const found = await Promise.all(sizesWithin(sizeOfWorker(turn)).map((range) => session.sql(SIZES, [...range])));
  return found.flatMap(({ rows }) => rows.map(({ waits_at }) => String(waits_at)));
}

const LIMITED_GROUPS = `
  SELECT name, concurrency FROM groups WHERE name = ANY($1::text[]) AND concurrency IS NOT NULL`;

/** The limits of the groups that these rows name and that have one. */
async function limitedGroups(session: Session, rows: readonly Row[]): Promise<Map<string, number>> {
  const names = groupNames(rows);
  if (names.length === 0) return new Map();
  const given = columnsOf(
    names.map((name) => [name]),
    1,
  );
  const { rows: groups } = await session.sql(LIMITED_GROUPS, given);
  return new Map(groups.map((row) => [String(row.name), Number(row.concurrency)]));
}

/** The planner finds the small index from its statistics. */
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

/** Sets aside jobs that found a gate full, together with all ready jobs at the same gate, and jobs that are too large. */
export async function setAside(session: Session, { setAside, tooLarge }: Choice): Promise<void> {
  // Jobs at a gate are also set aside one by one, because they may have been waiting under their size.
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

/** Moves jobs that wait at the other gate of this job: each of them would find this gate full as well. */
async function bringAlong(session: Session, seq: number, gate: string): Promise<void> {
  const { rows } = await session.sql('SELECT key, group_name FROM jobs WHERE seq = $1', [seq]);
  const { column, value } = gateParts(gate);
  const other = otherGate(rows[0], column);
  if (other === null) return;
  await session.sql(
    `UPDATE jobs SET waits_at = $1 WHERE seq = ANY(ARRAY(
       SELECT seq FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $2 AND ${column} = $3 ORDER BY seq
       LIMIT ${GATE_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
    [gate, other, value],
  );
}

/** Each start advances the time at which the queue may start one more. */
export async function countStarts(session: Session, { limits, taken }: LimitedChoice, time: number): Promise<void> {
  for (const { queue, notBefore } of limitsAfterStarts(limits, taken, time))
    await session.sql('UPDATE queue_limits SET not_before = $2 WHERE queue = $1', [queue, notBefore]);
}

const TAKE_FREED = `
  DELETE FROM freed_gates WHERE number = ANY(ARRAY(
    SELECT number FROM freed_gates ORDER BY number LIMIT ${GATES_AT_ONCE} FOR UPDATE SKIP LOCKED))
  RETURNING gate`;

/** Makes jobs ready where a slot became free. Returns whether there are more gates to look at. */
export async function refillFreed(session: Session): Promise<boolean> {
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

/** The best waiting job of each queue at the gate. Other jobs of the queue stay behind it, whatever their own limits are. */
async function headsAt(session: Session, gate: string): Promise<Row[]> {
  const heads: Row[] = [];
  for (let queue = ''; ; ) {
    const [row] = (await session.sql(NEXT_QUEUE, [gate, queue])).rows;
    if (!row) return heads;
    queue = String(row.queue);
    heads.push(row);
  }
}

/** If the limit of a group was removed, all its waiting jobs become ready. */
async function placesAt(session: Session, gate: string, row: Row): Promise<number> {
  const { column, value } = gateParts(gate);
  const limit =
    column === 'key' ? keyLimit(row) : (await limitedGroups(session, [{ gated: 1, group_name: value }])).get(value);
  return limit === undefined ? GATE_AT_ONCE : Math.min(GATE_AT_ONCE, gateRoom(await useOf(session, gate), limit));
}

const GATES_WITH_WAITING = gatesWithWaiting('$1::text', '$2::text', runningJobs);

/** Looks at a bounded number of gates with waiting jobs, after the given place. */
export async function sweepGates(session: Session, after: string): Promise<SweptGates> {
  return sweptGates((await session.sql(GATES_WITH_WAITING, sweepFrom(after))).rows);
}

export const addFreed = (session: Session, gates: readonly string[]): Promise<unknown> =>
  session.sql('INSERT INTO freed_gates (gate) SELECT unnest($1::text[])', [gates]);

const RELEASE_TOO_LARGE = `
  UPDATE jobs SET ready = ${READINESS.ready}, waits_at = NULL WHERE seq = ANY(ARRAY(
    SELECT seq FROM jobs WHERE ${AT_GATE} AND waits_at > '${ALL_SIZES[0]}' AND waits_at < '${ALL_SIZES[1]}'
      AND seq > $1::bigint ORDER BY seq LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)) RETURNING seq`;

/** Returns the jobs that are back in line. Settings may have changed since these jobs were too large. */
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
  // Another transaction has locked some of them and may leave them unchanged, so the next turn looks again.
  if (waiting.rows.length < Number(there.rows[0]?.n)) await addFreed(session, [gate]);
  const { enter, leave } = refillOf(ready.rows, waiting.rows, places);
  if (enter.length === 0) return;
  await session.sql(CHANGE, [READINESS.ready, null, enter]);
  if (leave.length > 0) await session.sql(CHANGE, [READINESS.atGate, gate, leave]);
  if (enter.length === GATE_AT_ONCE) await addFreed(session, [gate]);
}
