// Claiming under limits: which ready jobs may run, and which waiting ones are let in when a place becomes free.
// Who runs behind a gate is counted from the jobs themselves, by indexes that hold just those.

import {
  afterStarts,
  type Choice,
  choose,
  DEFAULT_KEY_CONCURRENCY,
  EVERY_QUEUE,
  groupGate,
  type QueueLimit,
  type Room,
} from '../../job/limits.ts';
import { READINESS } from '../../job/readiness.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import {
  CANDIDATE_COLUMNS,
  candidateOf,
  GATE_AT_ONCE,
  gateParts,
  inOrder,
  LOOK_BEYOND,
  memoryRoom,
  queueRooms,
  refillOf,
} from '../limit-rows.ts';
import { quoted, type Row } from '../rows.ts';
import type { Turn } from '../store.ts';
import type { Connection } from './connection.ts';
import { saveLimit } from './queues.ts';

/** Nobody may start anything. */
const isAllPaused = (limits: readonly QueueLimit[]): boolean =>
  limits.some(({ queue, pausedAt }) => queue === EVERY_QUEUE && pausedAt !== null);

export interface LimitedChoice extends Choice {
  /** Since when each could have run. */
  readonly dueAt: ReadonlyMap<number, number>;
  /** How many of each queue are taken. */
  readonly perQueue: ReadonlyMap<string, number>;
}

const NOTHING: LimitedChoice = { taken: [], setAside: [], dueAt: new Map(), perQueue: new Map() };

/** What to claim and what to set aside; writes nothing. */
export function chooseWithin(
  connection: Connection,
  turn: Turn,
  limits: readonly QueueLimit[],
  jobs: number,
  now: number,
): LimitedChoice {
  if (isAllPaused(limits) || turn.want <= 0 || jobs <= 0) return NOTHING;
  const queues = queueRooms(limits, (queue) => runningIn(connection, queue), now);
  const rows = inOrder(readyRows(connection, turn, queues));
  const groups = limitedGroups(connection, rows);
  const candidates = rows.map((row) => candidateOf(row, new Set(groups.keys()), turn));
  const gates = gateRooms(connection, rows, groups);
  const room: Room = {
    ...memoryRoom(turn),
    freeSlots: turn.want,
    slots: turn.slots ?? Number.POSITIVE_INFINITY,
    jobs,
    queues,
    gates,
  };
  const choice = choose(candidates, room);
  return {
    ...choice,
    dueAt: new Map(rows.map((row) => [Number(row.seq), Number(row.next_run_at)])),
    perQueue: new Map(
      [...Map.groupBy(choice.taken, ({ queue }) => queue)].map(([queue, of]) => [queue, of.length]),
    ),
  };
}

function readyRows(connection: Connection, turn: Turn, rooms: ReadonlyMap<string, number>): Row[] {
  if (turn.only !== undefined) {
    return connection
      .sql(`SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE id = ? AND ready = ${READINESS.ready}`)
      .all(turn.only) as Row[];
  }
  const best = connection.sql(`
    SELECT ${CANDIDATE_COLUMNS} FROM jobs WHERE ready = 1 AND queue = ? ORDER BY priority DESC, seq LIMIT 0 + ?`);
  const open = (turn.queues ?? queuesWithWork(connection)).filter((queue) => rooms.get(queue) !== 0);
  return open.flatMap((queue) => best.all(queue, turn.want + LOOK_BEYOND) as Row[]);
}

const queuesWithWork = (connection: Connection): string[] =>
  connection
    .sql(`SELECT DISTINCT queue FROM counters WHERE state IN (${quoted(CLAIMABLE_STATES)}) AND n > 0`)
    .all()
    .map((row) => String(row.queue));

const runningIn = (connection: Connection, queue: string): number =>
  Number(
    connection.sql(`SELECT n FROM counters WHERE queue = ? AND state = '${TRANSITIONS.claim.to}'`).get(queue)
      ?.n ?? 0,
  );

/** How many of each group may run, of those among these rows that have a limit. */
function limitedGroups(connection: Connection, rows: readonly Row[]): Map<string, number> {
  const names = new Set(
    rows.filter(({ gated }) => gated === 1).flatMap(({ group_name }) => group_name ?? []),
  );
  const limits = [...names].map((name): [string, number | null] => [
    String(name),
    groupLimit(connection, String(name)),
  ]);
  return new Map(limits.filter((entry): entry is [string, number] => entry[1] !== null));
}

function groupLimit(connection: Connection, name: string): number | null {
  const row = connection.sql('SELECT concurrency FROM groups WHERE name = ?').get(name);
  return (row?.concurrency ?? null) as number | null;
}

function gateRooms(
  connection: Connection,
  rows: readonly Row[],
  groups: ReadonlyMap<string, number>,
): Map<string, number> {
  const rooms = new Map<string, number>();
  const count = (gate: string, limit: number): unknown =>
    rooms.has(gate) || rooms.set(gate, limit - runningBehind(connection, gate));
  for (const row of rows.filter(({ gated }) => gated === 1)) {
    if (row.key !== null) count(`key:${row.key}`, keyLimit(row));
    const limit = groups.get(String(row.group_name));
    if (limit !== undefined) count(groupGate(String(row.group_name)), limit);
  }
  return rooms;
}

const keyLimit = (row: Row): number => Number(row.key_concurrency ?? DEFAULT_KEY_CONCURRENCY);

function runningBehind(connection: Connection, gate: string): number {
  const { column, value } = gateParts(gate);
  const row = connection
    .sql(
      `SELECT count(*) AS n FROM jobs WHERE locked_by IS NOT NULL AND ${column} IS NOT NULL AND ${column} = ?`,
    )
    .get(value);
  return Number(row?.n);
}

/** Jobs that found a gate full, and with them all others that wait at the same gate. */
export function setAside(connection: Connection, { setAside }: Choice): void {
  for (const gate of new Set(setAside.map((one) => one.gate))) {
    const { column, value } = gateParts(gate);
    connection
      .sql(`
        UPDATE jobs SET ready = ${READINESS.atGate}, waits_at = $gate WHERE seq IN (
          SELECT seq FROM jobs WHERE ready = 1 AND gated = 1 AND ${column} IS NOT NULL AND ${column} = $value
          LIMIT ${GATE_AT_ONCE})`)
      .run({ $gate: gate, $value: value });
  }
  for (const { seq, gate } of setAside) bringAlong(connection, seq, gate);
}

/** Others that wait at the other gate of this job, and would be sent on to this one, one after another. */
function bringAlong(connection: Connection, seq: number, gate: string): void {
  const job = connection.sql('SELECT key, group_name FROM jobs WHERE seq = ?').get(seq);
  const { column, value } = gateParts(gate);
  const other = column === 'key' ? job?.group_name : job?.key;
  if (other === null || other === undefined) return;
  connection
    .sql(`
      UPDATE jobs SET waits_at = $gate WHERE seq IN (
        SELECT seq FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = $other AND ${column} = $value
        LIMIT ${GATE_AT_ONCE})`)
    .run({ $gate: gate, $other: `${column === 'key' ? 'group' : 'key'}:${other}`, $value: value });
}

/** Each start moves the time on at which the queue may start one more. Returns the limits as they are then. */
export const countStarts = (
  connection: Connection,
  limits: readonly QueueLimit[],
  { perQueue }: LimitedChoice,
  now: number,
): QueueLimit[] =>
  limits.map((limit) => {
    const starts = perQueue.get(limit.queue);
    if (limit.ratePerSecond === null || starts === undefined) return limit;
    const after = { ...limit, notBefore: afterStarts(limit, starts, now) };
    saveLimit(connection, after);
    return after;
  });

const GATES_AT_ONCE = 100;

/** Lets in the jobs that may pass now. Returns whether there are more gates to look at. */
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
  for (let queue = ''; ; ) {
    const row = connection
      .sql(`
        SELECT queue, key_concurrency FROM jobs WHERE ready = ${READINESS.atGate} AND waits_at = ? AND queue > ?
        ORDER BY queue, priority DESC, seq LIMIT 1`)
      .get(gate, queue) as Row | undefined;
    if (!row) return;
    queue = String(row.queue);
    refillQueue(connection, gate, queue, placesAt(connection, gate, row));
  }
}

/** When the limit of a group is gone, all its waiting jobs are let in. */
function placesAt(connection: Connection, gate: string, row: Row): number {
  const { column, value } = gateParts(gate);
  const limit = column === 'key' ? keyLimit(row) : groupLimit(connection, value);
  return limit === null ? GATE_AT_ONCE : Math.min(GATE_AT_ONCE, limit - runningBehind(connection, gate));
}

function refillQueue(connection: Connection, gate: string, queue: string, places: number): void {
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
    .all(gate, queue, Math.max(0, places)) as Row[];
  const { enter, leave } = refillOf(ready, waiting, places);
  const change = (seqs: readonly number[], to: number, at: string | null): unknown =>
    seqs.length > 0 &&
    connection
      .sql('UPDATE jobs SET ready = ?, waits_at = ? WHERE seq IN (SELECT value FROM json_each(?))')
      .run(to, at, JSON.stringify(seqs));
  change(enter, READINESS.ready, null);
  if (enter.length === GATE_AT_ONCE) connection.sql('INSERT OR IGNORE INTO freed_gates VALUES (?)').run(gate);
  if (enter.length > 0) change(leave, READINESS.atGate, gate);
}
