// Claiming under limits: which ready jobs may run, and which waiting jobs become ready when a slot becomes free.
// Running jobs are counted from the job rows, with indexes that contain only these.

import {
  ALL_SIZES,
  type Choice,
  type GateUse,
  gateRoom,
  type QueueLimit,
  sizesWithin,
} from '../../job/flow/concurrency.ts';
import { READINESS } from '../../job/readiness.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
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
  type GateColumn,
  type RunningJobs,
  type SweptGates,
  sizeOfWorker,
  sweepFrom,
  sweptGates,
  windowOf,
} from '../rows/limit-rows.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { ClaimWish } from '../store.ts';
import type { Connection } from './connection.ts';
import { saveLimit } from './queues.ts';

export interface LimitedChoice extends Choice {
  /** Since when each candidate could have started. */
  readonly dueAt: ReadonlyMap<number, number>;
}

/** Chooses the jobs to claim and to set aside. Writes nothing. */
export function chooseWithin(
  connection: Connection,
  turn: ClaimWish,
  limits: readonly QueueLimit[],
  jobs: number,
  now: number,
): LimitedChoice {
  if (isAllPaused(limits) || turn.want <= 0 || jobs <= 0) return { ...NOTHING_CHOSEN, dueAt: new Map() };
  const queues = queueRooms(limits, (queue) => runningIn(connection, queue), now);
  const rows = readyRows(connection, turn, queues);
  const candidates = candidatesOf(rows, limitedGroups(connection, rows), turn);
  const gates = new Map(gateNames(candidates).map((name) => [name, useOf(connection, name)]));
  const dueAt = new Map(rows.map((row) => [Number(row.seq), Number(row.next_run_at)]));
  return { ...chooseAmong(candidates, rows, turn, { jobs, queues, gates }), dueAt };
}

function readyRows(connection: Connection, turn: ClaimWish, rooms: ReadonlyMap<string, number>): Row[] {
  if (turn.only !== undefined) {
    // A worker for one job skips the line of its key or group.
    return connection
      .sql(`SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE id = ? AND ready IN (${READINESS.ready}, ${READINESS.atGate})`)
      .all(turn.only) as Row[];
  }
  const best = connection.sql(`
    SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE ready = 1 AND queue = ? ORDER BY priority DESC, seq LIMIT 0 + ?`);
  const open = (turn.queues ?? queuesWithWork(connection)).filter((queue) => rooms.get(queue) !== 0);
  const sizes = fittingSizes(connection, turn);
  return open.flatMap((queue) => [
    ...(best.all(queue, windowOf(turn)) as Row[]),
    ...sizes.flatMap((size) => connection.sql(OF_SIZE).all(size, queue, turn.want) as Row[]),
  ]);
}

const OF_SIZE = `
  SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = ? AND queue = ?
  ORDER BY priority DESC, seq LIMIT 0 + ?`;
const NEXT_SIZE = `
  SELECT waits_at FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at > ? AND waits_at <= ?
  ORDER BY waits_at LIMIT 1`;

/** Returns the sizes of waiting jobs that were too large for other workers but fit this one. */
function fittingSizes(connection: Connection, turn: ClaimWish): string[] {
  return sizesWithin(sizeOfWorker(turn)).flatMap(([above, most]) => {
    const found: string[] = [];
    for (let size: string = above; found.length < SIZES_AT_ONCE; ) {
      const row = connection.sql(NEXT_SIZE).get(size, most);
      if (!row) break;
      size = String(row.waits_at);
      found.push(size);
    }
    return found;
  });
}

const queuesWithWork = (connection: Connection): string[] =>
  connection
    .sql(`SELECT DISTINCT queue FROM counters WHERE state IN (${quoted(CLAIMABLE_STATES)}) AND n > 0`)
    .all()
    .map((row) => String(row.queue));

const runningIn = (connection: Connection, queue: string): number =>
  Number(
    connection.sql(`SELECT n FROM counters WHERE queue = ? AND state = '${TRANSITIONS.claim.to}'`).get(queue)?.n ?? 0,
  );

/** Returns the limits of those groups of these rows that have one. */
function limitedGroups(connection: Connection, rows: readonly Row[]): Map<string, number> {
  const limits = groupNames(rows).map((name): [string, number | null] => [name, groupLimit(connection, name)]);
  return new Map(limits.filter((entry): entry is [string, number] => entry[1] !== null));
}

function groupLimit(connection: Connection, name: string): number | null {
  const row = connection.sql('SELECT concurrency FROM groups WHERE name = ?').get(name);
  return (row?.concurrency ?? null) as number | null;
}

const INDEX_OF: Readonly<Record<GateColumn, string>> = { key: 'key', group_name: 'group' };

/** Names the index, because the planner prefers one with all jobs of a key, including finished jobs. */
export const runningJobs: RunningJobs = (column, alias) =>
  `jobs AS ${alias} INDEXED BY jobs_running_${INDEX_OF[column]}`;

export function useOf(connection: Connection, gate: string): GateUse {
  const { column, value } = gateParts(gate);
  return gateUseFrom(connection.sql(gateUseOf(column, '?', runningJobs)).get(value));
}

/** Returns the gate that a claim would find full for this job, or null. */
export function fullGate(connection: Connection, job: Row): string | null {
  const { gates } = candidateOf(job, limitedGroups(connection, [job]), {});
  return gates.find(({ name, limit }) => gateRoom(useOf(connection, name), limit) <= 0)?.name ?? null;
}

/**
 * Sets aside jobs at a full gate, together with all other jobs that wait at the same gate, and jobs that are too large.
 */
export function setAside(connection: Connection, { setAside, tooLarge }: Choice): void {
  // Also updates jobs at a gate one by one, because they may have been waiting under their size.
  for (const { seq, at } of [...tooLarge, ...setAside])
    connection.sql(`UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = ? WHERE seq = ?`).run(at, seq);
  for (const gate of new Set(setAside.map(({ at }) => at))) {
    const { column, value } = gateParts(gate);
    connection
      .sql(`
        UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = $gate WHERE seq IN (
          SELECT seq FROM jobs INDEXED BY jobs_ready_${INDEX_OF[column]}
          WHERE ready = 1 AND gated = 1 AND ${column} IS NOT NULL AND ${column} = $value LIMIT ${GATE_AT_ONCE})`)
      .run({ $gate: gate, $value: value });
  }
  for (const { seq, at } of setAside) moveAlong(connection, seq, at);
}

/** Moves other jobs that wait at the job's other gate, because each of them would be sent to this gate later. */
function moveAlong(connection: Connection, seq: number, gate: string): void {
  const job = connection.sql('SELECT key, group_name FROM jobs WHERE seq = ?').get(seq);
  const { column, value } = gateParts(gate);
  const other = otherGate(job as Row | undefined, column);
  if (other === null) return;
  connection
    .sql(`
      UPDATE jobs SET waits_at = $gate WHERE seq IN (
        SELECT seq FROM jobs INDEXED BY jobs_at_gate
        WHERE ready = ${READINESS.atGate} AND waits_at = $other AND ${column} = $value LIMIT ${GATE_AT_ONCE})`)
    .run({ $gate: gate, $other: other, $value: value });
}

/** Each start of a queue with a rate advances its `notBefore`. Returns the updated limits. */
export function countStarts(
  connection: Connection,
  limits: readonly QueueLimit[],
  { taken }: LimitedChoice,
  now: number,
): readonly QueueLimit[] {
  const changed = limitsAfterStarts(limits, taken, now);
  for (const limit of changed) saveLimit(connection, limit);
  return limits.map((limit) => changed.find(({ queue }) => queue === limit.queue) ?? limit);
}

/** Makes jobs ready where slots have become free. Returns true if there are more gates to check. */
export function refillFreed(connection: Connection): boolean {
  const gates = connection.sql(`SELECT gate FROM freed_gates LIMIT ${GATES_AT_ONCE}`).all();
  for (const row of gates) {
    const gate = String(row.gate);
    connection.sql('DELETE FROM freed_gates WHERE gate = ?').run(gate);
    refill(connection, gate);
  }
  return gates.length === GATES_AT_ONCE;
}

function refill(connection: Connection, gate: string): void {
  for (const row of headsAt(connection, gate))
    refillQueue(connection, gate, String(row.queue), freeSlotsAt(connection, gate, row));
}

/**
 * Returns the best waiting job of each queue at the gate. Other jobs of its queue stay behind it, whatever their own
 * limit.
 */
function headsAt(connection: Connection, gate: string): Row[] {
  const heads: Row[] = [];
  for (let queue = ''; ; ) {
    const row = connection
      .sql(`
        SELECT queue, key_concurrency FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = ? AND queue > ?
        ORDER BY queue, priority DESC, seq LIMIT 1`)
      .get(gate, queue) as Row | undefined;
    if (!row) return heads;
    queue = String(row.queue);
    heads.push(row);
  }
}

/** If a group no longer has a limit, all its waiting jobs become ready. */
function freeSlotsAt(connection: Connection, gate: string, row: Row): number {
  const { column, value } = gateParts(gate);
  const limit = column === 'key' ? keyLimit(row) : groupLimit(connection, value);
  return limit === null ? GATE_AT_ONCE : Math.min(GATE_AT_ONCE, gateRoom(useOf(connection, gate), limit));
}

const GATES_WITH_WAITING = gatesWithWaiting('$gate', '$queue', runningJobs);

/** Checks a bounded number of gates with waiting jobs, starting after `after`. */
export function sweepGates(connection: Connection, after: string): SweptGates {
  const [gate, queue] = sweepFrom(after);
  return sweptGates(connection.sql(GATES_WITH_WAITING).all({ $gate: gate, $queue: queue }) as Row[]);
}

const RELEASE_TOO_LARGE = `
  UPDATE jobs SET ready = ${READINESS.ready}, waits_at = NULL WHERE seq IN (
    SELECT seq FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at > '${ALL_SIZES[0]}'
      AND waits_at < '${ALL_SIZES[1]}' AND seq > ? ORDER BY seq LIMIT ${SWEPT_AT_ONCE})
  RETURNING seq`;

/** Makes jobs that were too large ready again, because settings may have changed since. Returns their seqs. */
export const releaseTooLarge = (connection: Connection, after: number): number[] =>
  connection
    .sql(RELEASE_TOO_LARGE)
    .all(after)
    .map((row) => Number(row.seq));

function refillQueue(connection: Connection, gate: string, queue: string, slots: number): void {
  const { column, value } = gateParts(gate);
  const ready = connection
    .sql(`
      SELECT seq, priority FROM jobs WHERE ready = 1 AND ${column} IS NOT NULL AND ${column} = ? AND queue = ?
      LIMIT ${GATE_AT_ONCE}`)
    .all(value, queue) as Row[];
  const waiting = connection
    .sql(`
      SELECT seq, priority FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = ? AND queue = ?
      ORDER BY priority DESC, seq LIMIT 0 + ?`)
    .all(gate, queue, Math.max(0, slots)) as Row[];
  const { enter, leave } = refillOf(ready, waiting, slots);
  const change = (seqs: readonly number[], to: number, at: string | null): unknown =>
    seqs.length > 0 &&
    connection
      .sql('UPDATE jobs SET ready = ?, waits_at = ? WHERE seq IN (SELECT value FROM json_each(?))')
      .run(to, at, JSON.stringify(seqs));
  change(enter, READINESS.ready, null);
  if (enter.length === GATE_AT_ONCE) connection.sql('INSERT OR IGNORE INTO freed_gates VALUES (?)').run(gate);
  if (enter.length > 0) change(leave, READINESS.atGate, gate);
}
