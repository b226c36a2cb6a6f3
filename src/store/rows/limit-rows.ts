// Limits: conversions between rows and the data for src/job/flow/concurrency.ts, shared by both stores.

import {
  ALL_SIZES,
  type Candidate,
  type Choice,
  DEFAULT_KEY_CONCURRENCY,
  afterStarts,
  choose,
  DEFAULT_WEIGHT,
  EVERY_QUEUE,
  type GateUse,
  gateRoom,
  groupGate,
  keyGate,
  type QueueLimit,
  queueRoom,
  rateOpensAt,
  type Room,
  UNLIMITED,
} from '../../job/flow/concurrency.ts';
import { confinementOf, reservedBy } from '../../job/isolation/isolation.ts';
import { READINESS } from '../../job/readiness.ts';
import { columnsFor } from './columns.ts';
import type { Row } from './rows.ts';
import type { ClaimWish, RecheckedSizes, Turn } from '../store.ts';

const LIMIT = columnsFor<QueueLimit>(
  'queue', 'pausedAt', 'drainingAt', 'concurrency', 'ratePerSecond', 'burst', 'notBefore',
); // biome-ignore format: a list of words

export const { list: LIMIT_COLUMNS, recordOf: limitOf, valuesOf: limitValues } = LIMIT;

/** Queues that only have hooks have a row without limits. */
export const IS_LIMITED =
  '(paused_at IS NOT NULL OR draining_at IS NOT NULL OR concurrency IS NOT NULL OR rate_per_second IS NOT NULL)';

export const memoryRoom = ({ memory }: ClaimWish): Pick<Room, 'freeBytes' | 'bytes'> => ({
  freeBytes: memory?.freeBytes ?? Number.POSITIVE_INFINITY,
  bytes: memory?.bytes ?? Number.POSITIVE_INFINITY,
});

/** True if jobs without a memory limit of their own must be checked too. */
export const reservesByQueue = ({ memory }: ClaimWish): boolean => memory?.ofQueues !== undefined;

/** Returns the limit after a change. A new rate starts now. */
export function changedLimit(queue: string, found: QueueLimit | undefined, change: Partial<QueueLimit>): QueueLimit {
  const before = found ?? { ...UNLIMITED, queue };
  const isNewRate = 'ratePerSecond' in change || 'burst' in change;
  return { ...before, ...change, notBefore: isNewRate ? null : before.notBefore };
}

/** Columns of ready jobs that a claim needs. */
export const CANDIDATE_COLUMNS =
  'seq, queue, priority, next_run_at, weight, gated, key, key_concurrency, group_name, confinement, waits_at';

/** `groupLimits` contains only groups with a limit. */
export function candidateOf(
  row: Row,
  groupLimits: ReadonlyMap<string, number>,
  { memory }: Pick<ClaimWish, 'memory'>,
): Candidate {
  const { key, group_name: group } = row as { key: string | null; group_name: string | null };
  const isGated = row.gated === 1;
  const groupLimit = group === null ? undefined : groupLimits.get(group);
  return {
    seq: Number(row.seq),
    queue: String(row.queue),
    waitsAt: row.waits_at as string | null,
    memoryBytes: reservedBy(
      isGated ? (confinementOf(row.confinement) ?? null) : null,
      memory?.ofQueues?.[String(row.queue)],
    ),
    weight: isGated ? Number(row.weight ?? DEFAULT_WEIGHT) : DEFAULT_WEIGHT,
    gates: [
      ...(isGated && key !== null ? [{ name: keyGate(key), limit: keyLimit(row) }] : []),
      ...(isGated && group !== null && groupLimit !== undefined ? [{ name: groupGate(group), limit: groupLimit }] : []),
    ],
  };
}

/** The ready jobs of these rows, the best first. */
export const candidatesOf = (
  rows: readonly Row[],
  groupLimits: ReadonlyMap<string, number>,
  turn: ClaimWish,
): Candidate[] => inOrder(rows).map((row) => candidateOf(row, groupLimits, turn));

/** The groups of these rows whose limits a claim has to know. */
export const groupNames = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ gated, group_name }) => (gated === 1 ? ((group_name ?? []) as string) : []))),
];

export const gateNames = (candidates: readonly Candidate[]): string[] => [
  ...new Set(candidates.flatMap(({ gates }) => gates.map(({ name }) => name))),
];

export const isAllPaused = (limits: readonly QueueLimit[]): boolean =>
  limits.some(({ queue, pausedAt }) => queue === EVERY_QUEUE && pausedAt !== null);

export const NOTHING_CHOSEN: Choice = {
  taken: [],
  setAside: [],
  tooLarge: [],
  outOfMemory: [],
  hasRoom: false,
};

/** `rows` are the rows of the candidates. */
export const chooseAmong = (
  candidates: readonly Candidate[],
  rows: readonly Row[],
  turn: ClaimWish,
  room: Pick<Room, 'jobs' | 'queues' | 'gates'>,
): Choice => widened(choose(candidates, { ...sizeOfWorker(turn), freeSlots: turn.want, ...room }), rows, turn);

/** What a turn may still claim after it has claimed these. */
export function restOf(turn: Turn, claimed: readonly { readonly weight: number; readonly bytes: number }[]): Turn {
  const sum = (of: 'weight' | 'bytes'): number => claimed.reduce((total, one) => total + one[of], 0);
  const { want, memory } = turn;
  return {
    ...turn,
    want: want - sum('weight'),
    memory: memory && { ...memory, freeBytes: memory.freeBytes - sum('bytes') },
  };
}

/** Another look finds more only if jobs were set aside. A worker for a single job finds it again wherever it waits. */
export const isLastLook = ({ only }: ClaimWish, { setAside, tooLarge }: Choice): boolean =>
  setAside.length + tooLarge.length === 0 || only !== undefined;

/** The limits that these starts change: each start advances the time at which the queue may start one more. */
export function limitsAfterStarts(
  limits: readonly QueueLimit[],
  taken: readonly Candidate[],
  now: number,
): QueueLimit[] {
  const started = Map.groupBy(taken, ({ queue }) => queue);
  return limits
    .filter(({ queue, ratePerSecond }) => ratePerSecond !== null && started.has(queue))
    .map((limit) => ({
      ...limit,
      notBefore: afterStarts(limit, started.get(limit.queue)?.length ?? 0, now),
    }));
}

export const keyLimit = (row: Row): number => Number(row.key_concurrency ?? DEFAULT_KEY_CONCURRENCY);

/** The column that jobs at the same gate share. */
export type GateColumn = 'key' | 'group_name';

/** Returns the table of jobs for a FROM clause that looks for running jobs by this column. */
export type RunningJobs = (column: GateColumn, alias: string) => string;

/** Counts the running jobs of a gate. A group has one limit, which is stored with the group. */
export const gateUseOf = (column: GateColumn, parameter: string, running: RunningJobs): string => `
  SELECT count(*) AS running,
    ${column === 'key' ? `min(coalesce(key_concurrency, ${DEFAULT_KEY_CONCURRENCY}))` : 'NULL'} AS strictest
  FROM ${running(column, 'r')} WHERE locked_by IS NOT NULL AND ${column} IS NOT NULL AND ${column} = ${parameter}`;

export const gateUseFrom = (row: Row | undefined): GateUse => ({
  running: Number(row?.running ?? 0),
  strictest: row?.strictest == null ? Number.POSITIVE_INFINITY : Number(row.strictest),
});

/** Capacity of the worker for comparing sizes. */
export const sizeOfWorker = (turn: ClaimWish): Pick<Room, 'slots' | 'bytes' | 'freeBytes'> => ({
  slots: turn.slots ?? Number.POSITIVE_INFINITY,
  ...memoryRoom(turn),
});

/** Number of ready jobs of a queue to read. */
export const windowOf = ({ want }: ClaimWish): number => want + LOOK_BEYOND;

/**
 * If a queue's window was full, later jobs may be able to run. The jobs without enough memory then also wait under
 * their size, to let them pass.
 */
export function widened(choice: Choice, rows: readonly Row[], turn: ClaimWish): Choice {
  if (!choice.hasRoom || choice.outOfMemory.length === 0) return choice;
  const inLine = Map.groupBy(
    rows.filter(({ waits_at }) => waits_at === null),
    ({ queue }) => String(queue),
  );
  const isFull = (queue: string): boolean => (inLine.get(queue)?.length ?? 0) >= windowOf(turn);
  const queueOf = new Map(rows.map(({ seq, queue }) => [Number(seq), String(queue)]));
  const hiding = choice.outOfMemory.filter(({ seq }) => isFull(queueOf.get(seq) ?? ''));
  return { ...choice, tooLarge: [...choice.tooLarge, ...hiding] };
}

/** True if any job waits under its size for a larger worker, as SQL. */
export const HAS_TOO_LARGE = `EXISTS (SELECT 1 FROM jobs
  WHERE ready = ${READINESS.atGate} AND waits_at > '${ALL_SIZES[0]}' AND waits_at < '${ALL_SIZES[1]}')`;

/** Maximum number of sizes that a turn checks, smallest first. */
export const SIZES_AT_ONCE = 16;

/** Sorts by priority, then by creation. */
export const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(b.priority) - Number(a.priority) || Number(a.seq) - Number(b.seq));

/** Returns how many jobs each limited queue may start. */
export const queueRooms = (
  limits: readonly QueueLimit[],
  running: (queue: string) => number,
  now: number,
): Map<string, number> => new Map(limits.map((limit) => [limit.queue, queueRoom(limit, running(limit.queue), now)]));

/** Returns when the first of these queues may start another job. */
export const ratesOpenAt = (limits: readonly QueueLimit[], now: number): number | null =>
  limits.map((limit) => rateOpensAt(limit, now)).reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

/** Returns the waiting jobs that become ready, and the ready jobs that give way to better ones. */
export function refillOf(
  ready: readonly Row[],
  waiting: readonly Row[],
  slots: number,
): { enter: number[]; leave: number[] } {
  const best = new Set(
    inOrder([...ready, ...waiting])
      .slice(0, Math.max(0, slots))
      .map(({ seq }) => Number(seq)),
  );
  const seqs = (rows: readonly Row[], isBest: boolean): number[] =>
    rows.map(({ seq }) => Number(seq)).filter((seq) => best.has(seq) === isBest);
  return { enter: seqs(waiting, true), leave: seqs(ready, false) };
}

/** Returns the column and value that the jobs at a gate share. */
export function gateParts(gate: string): { column: GateColumn; value: string } {
  const at = gate.indexOf(':');
  return { column: gate.slice(0, at) === 'key' ? 'key' : 'group_name', value: gate.slice(at + 1) };
}

/** Returns the other gate of a job with this row, or null. */
export function otherGate(row: Row | undefined, column: GateColumn): string | null {
  const { key = null, group_name: group = null } = (row ?? {}) as Readonly<Record<string, string | null>>;
  if (column === 'key') return group === null ? null : groupGate(group);
  return key === null ? null : keyGate(key);
}

/** Maximum number of jobs of a gate that are set aside or made ready at once, so that turns stay short. */
export const GATE_AT_ONCE = 1000;
/** Maximum number of gates with a freed slot that a turn checks. */
export const GATES_AT_ONCE = 100;
/** How often a claim chooses again within a turn after it has set jobs aside. */
export const LOOKS_IN_A_TURN = 4;
/** Number of ready jobs of a queue to read beyond the wanted ones, because some may have to be set aside. */
const LOOK_BEYOND = 32;
/** Maximum number of gates or jobs that a sweep checks. */
export const SWEPT_AT_ONCE = 1000;

const GROUP_IS_LIMITED = 'EXISTS (SELECT 1 FROM groups g WHERE g.name = group_name AND g.concurrency IS NOT NULL)';

/** True if a claim must check a new job against limits, as SQL. */
export const IS_GATED = `CASE WHEN key IS NOT NULL OR coalesce(weight, 1) > 1 OR confinement LIKE '%"memoryBytes"%'
  OR ${GROUP_IS_LIMITED} THEN 1 ELSE 0 END`;

/**
 * The gate at which a new job waits first, as SQL. If such jobs were ready, many jobs at one gate would be in the way
 * of others.
 */
export const FIRST_GATE = `
  CASE WHEN key IS NOT NULL THEN 'key:' || key WHEN ${GROUP_IS_LIMITED} THEN 'group:' || group_name END`;

/** Returns the position of a sweep after these jobs. */
export const sweptSizes = (seqs: readonly number[]): RecheckedSizes => ({
  found: seqs.length,
  next: seqs.length < SWEPT_AT_ONCE ? 0 : Math.max(...seqs),
});

/**
 * Selects the best job that waits at each gate or under each size, by queue and in the order of the names, after this
 * position.
 */
const headsBelow = (end: string, gate: string, queue: string): string => {
  const first = (where: string): string => `(
    SELECT n.seq FROM jobs n WHERE n.ready = ${READINESS.atGate} AND n.waits_at < '${end}' AND ${where}
    ORDER BY n.waits_at, n.queue, n.priority DESC, n.seq LIMIT 1)`;
  // Each half is the start of an index range, however many jobs wait at one gate.
  const next = (gate: string, queue: string): string =>
    `coalesce(${first(`n.waits_at = ${gate} AND n.queue > ${queue}`)}, ${first(`n.waits_at > ${gate}`)})`;
  return `WITH RECURSIVE heads (seq, n) AS (
    SELECT ${next(gate, queue)}, 1
    UNION ALL
    SELECT ${next('j.waits_at', 'j.queue')}, h.n + 1 FROM heads h JOIN jobs j ON j.seq = h.seq
    WHERE h.n < ${SWEPT_AT_ONCE})`;
};

/** Selects the IDs of the best job of each size and queue. */
export const HEADS_OF_SIZES = `
  ${headsBelow(ALL_SIZES[1], `'${ALL_SIZES[0]}'`, "''")}
  SELECT j.id FROM heads h JOIN jobs j ON j.seq = h.seq ORDER BY h.n`;

const runningOf = (running: RunningJobs, column: GateColumn, what: string): string => `
  (SELECT ${what} FROM ${running(column, 'r')} WHERE r.locked_by IS NOT NULL AND r.${column} IS NOT NULL AND r.${column} = j.${column})`;
const readyOf = (column: GateColumn): string => `
  EXISTS (SELECT 1 FROM jobs r WHERE r.ready = ${READINESS.ready} AND r.${column} IS NOT NULL
    AND r.${column} = j.${column} AND r.queue = j.queue)`;
const byGate = (key: string, group: string): string => `CASE WHEN j.waits_at < 'key:' THEN ${group} ELSE ${key} END`;

/**
 * Selects the data that decides whether a gate has a free slot and a ready job to take it, for a bounded number of
 * gates and queues.
 */
export const gatesWithWaiting = (gate: string, queue: string, running: RunningJobs): string => `
  ${headsBelow(ALL_SIZES[0], gate, queue)}
  SELECT j.id, j.waits_at, j.queue, j.key_concurrency,
    (SELECT concurrency FROM groups g WHERE g.name = j.group_name) AS group_limit,
    ${byGate(runningOf(running, 'key', 'count(*)'), runningOf(running, 'group_name', 'count(*)'))} AS running,
    ${byGate(runningOf(running, 'key', `min(coalesce(r.key_concurrency, ${DEFAULT_KEY_CONCURRENCY}))`), 'NULL')} AS strictest,
    CASE WHEN ${byGate(readyOf('key'), readyOf('group_name'))} THEN 1 ELSE 0 END AS has_ready
  FROM heads h JOIN jobs j ON j.seq = h.seq ORDER BY h.n`;

export interface SweptGates {
  /** Gates with a free slot that no ready job takes. */
  readonly forgotten: readonly string[];
  /** IDs of the jobs that should have these slots. */
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Parses the position of a sweep: a gate and a queue. Names of queues contain no line breaks. */
export const sweepFrom = (place: string): [string, string] => {
  const at = place.lastIndexOf('\n');
  return [place.slice(0, Math.max(0, at)), place.slice(at + 1)];
};

export function sweptGates(rows: readonly Row[]): SweptGates {
  const last = rows.length < SWEPT_AT_ONCE ? undefined : rows.at(-1);
  const forgotten = rows.filter(isForgotten);
  return {
    forgotten: [...new Set(forgotten.map((row) => String(row.waits_at)))],
    ids: forgotten.map((row) => String(row.id)),
    next: last === undefined ? null : `${last.waits_at}\n${last.queue}`,
  };
}

function isForgotten(row: Row): boolean {
  const isKey = gateParts(String(row.waits_at)).column === 'key';
  const limit = isKey ? keyLimit(row) : (row.group_limit as number | string | null);
  const hasRoom = limit === null || gateRoom(gateUseFrom(row), Number(limit)) > 0;
  return hasRoom && Number(row.has_ready) === 0;
}
