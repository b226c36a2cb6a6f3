// Claiming jobs: due jobs become ready, then the best ready jobs are claimed. Both take O(log n), whatever else is in
// the table, because each query has an index of exactly its jobs.

import { reservedBy } from '../../job/isolation/isolation.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { NO_OUTPUT_TEXT } from '../../job/output/output.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { PROMOTE_AT_ONCE, WAITING } from '../sql/due.ts';
import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { isLastLook, LOOKS_IN_A_TURN, reservesByQueue, restOf } from '../rows/limit-rows.ts';
import { claimedTaskOf, quoted, type Row, TASK_COLUMNS, weightOf } from '../rows/rows.ts';
import type { Claimed, Turn } from '../store.ts';
import type { Connection } from './connection.ts';
import { variablesOf } from './environments.ts';
import { chooseWithin, countStarts, type LimitedChoice, setAside } from './limits.ts';

export function promote(connection: Connection, now: number): { more: boolean } {
  const { changes } = connection
    .sql(`
      UPDATE jobs SET ready = 1 WHERE seq IN (
        SELECT seq FROM jobs WHERE ${WAITING}
          AND state IN (${quoted(CLAIMABLE_STATES)}) AND next_run_at <= ?
        LIMIT ${PROMOTE_AT_ONCE})`)
    .run(now);
  return { more: changes === PROMOTE_AT_ONCE };
}

/** True if a claim would find jobs. Writes nothing. */
export function hasReady(
  connection: Connection,
  turn: Turn,
  limits: readonly QueueLimit[],
  hasTooLarge: boolean,
  now: number,
): boolean {
  const found = candidates(connection, turn, 1);
  const isAnySet = hasTooLarge || turn.only !== undefined;
  if (!isAnySet && (found.size === 0 || isUnlimited(turn, limits, found))) return found.size > 0;
  const choice = chooseWithin(connection, turn, limits, Number.MAX_SAFE_INTEGER, now);
  return choice.taken.length + choice.setAside.length + choice.tooLarge.length > 0;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** True if another attempt would find more. */
  readonly more: boolean;
  /** The limits after the claim. */
  readonly limits: readonly QueueLimit[];
}

export const claimedNone = (limits: Claim['limits']): Claim => ({ claimed: [], more: false, limits });

export function claim(
  connection: Connection,
  turn: Turn,
  limits: readonly QueueLimit[],
  hasTooLarge: boolean,
  now: number,
): Claim {
  const count = Math.min(turn.want, room(connection, turn.maxConcurrentJobs));
  if (count <= 0) return claimedNone(limits);
  if (hasTooLarge || turn.only !== undefined) return claimWithin(connection, turn, limits, now);
  const found = candidates(connection, turn, count);
  if (found.size === 0) return claimedNone(limits);
  return isUnlimited(turn, limits, found)
    ? { claimed: take(connection, turn, dueTimes(found), now), more: false, limits }
    : claimWithin(connection, turn, limits, now);
}

type Found = ReadonlyMap<number, Row>;

/** True if no limit requires counting. */
const isUnlimited = (turn: Turn, limits: readonly QueueLimit[], found: Found): boolean =>
  limits.length === 0 && !reservesByQueue(turn) && found.values().every(({ gated }) => gated === 0);

const dueTimes = (found: Found): Map<number, number> =>
  new Map(found.entries().map(([seq, { next_run_at }]) => [seq, Number(next_run_at)]));

/** Repeats the choice a few times, because jobs that are set aside make way for others. */
function claimWithin(connection: Connection, turn: Turn, before: readonly QueueLimit[], now: number): Claim {
  const claimed: Claimed[] = [];
  let limits = before;
  let isAnyTooLarge = false;
  for (let looks = 0; looks < LOOKS_IN_A_TURN; looks++) {
    const jobs = room(connection, turn.maxConcurrentJobs);
    const choice = chooseWithin(connection, restOf(turn, claimed.map(takenFrom(turn))), limits, jobs, now);
    claimed.push(...take(connection, turn, dueTimesOf(choice), now));
    limits = countStarts(connection, limits, choice, now);
    setAside(connection, choice);
    if (isLastLook(turn, choice)) return { claimed, more: isAnyTooLarge, limits };
    isAnyTooLarge ||= choice.tooLarge.length > 0; // the job may have left a slot of its key, which the next turn fills
  }
  return { claimed, more: true, limits };
}

const takenFrom =
  ({ memory }: Turn) =>
  ({ job, weight }: Claimed): { weight: number; bytes: number } => ({
    weight,
    bytes: reservedBy(job.confinement, memory?.ofQueues?.[job.queue]),
  });

const dueTimesOf = ({ taken, dueAt }: LimitedChoice): Map<number, number> =>
  new Map(taken.map(({ seq }) => [seq, dueAt.get(seq) ?? 0]));

const TAKE = `
  UPDATE jobs SET state = '${TRANSITIONS.claim.to}', ready = 0, attempts = attempts + 1, runs = runs + 1,
    next_run_at = NULL, started_at = ?, finished_at = NULL, duration_ms = NULL, updated_at = ?,
    locked_by = ?, locked_at = ?, progress = NULL, progress_note = NULL, result = NULL
  WHERE seq IN (SELECT value FROM json_each(?)) RETURNING seq, runs, priority, ${TASK_COLUMNS}`;

function take(connection: Connection, turn: Turn, waiting: ReadonlyMap<number, number>, now: number): Claimed[] {
  if (waiting.size === 0) return [];
  const rows = connection.sql(TAKE).all(now, now, turn.worker.id, now, JSON.stringify([...waiting.keys()])) as Row[];
  return rows
    .sort((a, b) => Number(b.priority) - Number(a.priority) || Number(a.seq) - Number(b.seq))
    .map((row) => begin(connection, turn, row, waiting.get(row.seq as number) ?? now, now));
}

const BEGIN = `
  INSERT INTO attempts (job_seq, number, attempt, worker_id, host, boot_id, started_at, waited_ms, log_path, output)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '${NO_OUTPUT_TEXT}')`;

function begin(connection: Connection, turn: Turn, row: Row, dueAt: number, now: number): Claimed {
  const task = claimedTaskOf(row);
  const { job } = task;
  const [seq, run] = [row.seq as number, row.runs as number];
  const [logPath, waitedMs] = [turn.logPath(job.id, run), Math.max(0, now - dueAt)];
  connection
    .sql(BEGIN)
    .run(seq, run, job.attempts, turn.worker.id, turn.worker.host, turn.worker.bootId, now, waitedMs, logPath);
  const environment = variablesOf(connection, row.environment_id as number | null);
  return { seq, run, ...task, weight: weightOf(row), waitedMs, environment, logPath };
}

const RUNNING = `SELECT sum(n) AS n FROM counters WHERE state = '${TRANSITIONS.claim.to}'`;

/** Returns how many more jobs max_concurrent_jobs allows. */
export function room(connection: Connection, limit: number | null): number {
  if (limit === null) return Number.MAX_SAFE_INTEGER;
  const row = connection.sql(RUNNING).get();
  return limit - Number(row?.n ?? 0);
}

/**
 * Selects the best jobs of each queue, then the best of these: the index is sorted within a queue, and there are few
 * queues. With a bare `LIMIT ?`, SQLite would plan the statement again for each value, which takes five times as long
 * as running it.
 */
const CANDIDATES = (queues: string): string => `
  SELECT j.seq, j.next_run_at, j.gated FROM (${queues}) q
  CROSS JOIN jobs j ON j.seq IN (
    SELECT seq FROM jobs WHERE ready = 1 AND queue = q.queue ORDER BY priority DESC, seq LIMIT 0 + ?)
  ORDER BY j.priority DESC, j.seq LIMIT 0 + ?`;

const FROM_ANY = CANDIDATES(
  `SELECT DISTINCT queue FROM counters WHERE state IN (${quoted(CLAIMABLE_STATES)}) AND n > 0`,
);
const FROM_SOME = CANDIDATES('SELECT DISTINCT value AS queue FROM json_each(?)');

/** The jobs to claim if nothing is limited. */
const candidates = (connection: Connection, turn: Turn, count: number): Found =>
  new Map(candidateRows(connection, turn, count).map((row) => [row.seq as number, row]));

function candidateRows(connection: Connection, turn: Turn, count: number): Row[] {
  if (turn.queues === null) return connection.sql(FROM_ANY).all(count, count);
  return connection.sql(FROM_SOME).all(JSON.stringify(turn.queues), count, count);
}
