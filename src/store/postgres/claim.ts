// Taking jobs: due ones are promoted from waiting to ready, then the best ready ones change hands.
// Both cost O(log n) whatever else is in the table, because each question has an index of just its jobs. Limits are
// written into the statements: a planner that does not know them reckons with a tenth of the table.

import type { Variables } from '../../job/environment/environment.ts';
import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { NO_OUTPUT_TEXT } from '../../job/output/output.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { PROMOTE_AT_ONCE, WAITING } from '../sql/due.ts';
import type { Candidate } from '../../job/flow/concurrency.ts';
import { sizesWithin } from '../../job/flow/concurrency.ts';
import { READINESS } from '../../job/readiness.ts';
import { HAS_TOO_LARGE, IS_LIMITED, sizeOfWorker } from '../rows/limit-rows.ts';
import { claimedTaskOf, type Row, TASK_COLUMNS, weightOf } from '../rows/rows.ts';
import type { Claimed, Turn } from '../store.ts';
import { knownLimit, LIMIT_OVER_ALL } from '../sql/turn-rules.ts';
import type { Session } from './session/connection.ts';
import { IS_OUTDATED } from './migrate.ts';
import { columnsOf, now } from './rows.ts';

/** Jobs that are locked at this moment are skipped: another transaction is about to promote or change them. */
const PROMOTE = `
  WITH ${CLAIMABLE_STATES.map(
    (state) => `due_${state} AS (
      SELECT seq FROM jobs WHERE ${WAITING} AND state = '${state}' AND next_run_at <= $1
      ORDER BY next_run_at LIMIT ${PROMOTE_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  ).join(', ')}
  , promoted AS (UPDATE jobs SET ready = 1
    WHERE seq = ANY(ARRAY(${CLAIMABLE_STATES.map((state) => `SELECT seq FROM due_${state}`).join(' UNION ALL ')}))
    RETURNING gated)
  SELECT count(*) AS n, coalesce(bool_or(gated = 1), false) AS is_any_gated FROM promoted`;

export interface Promoted {
  readonly more: boolean;
  readonly isAnyGated: boolean;
}

export async function promote(session: Session, time: number): Promise<Promoted> {
  const { rows } = await session.sql(PROMOTE, [time]);
  return { more: Number(rows[0]?.n) >= PROMOTE_AT_ONCE, isAnyGated: Boolean(rows[0]?.is_any_gated) };
}

/** When the next waiting job in this state becomes due. */
export const dueAt = (state: JobState): string => `(
  SELECT next_run_at FROM jobs WHERE ${WAITING} AND state = '${state}'
  ORDER BY next_run_at LIMIT 1)`;

/** When the next waiting job becomes due. least() leaves out what is NULL. */
export const NEXT_DUE_AT = `least(${CLAIMABLE_STATES.map(dueAt).join(', ')})`;

/** The best of each queue, then the best of those: the index is by queue, and queues are few. */
const bestOf = (queues: string, count: number): string => `
  SELECT c.seq FROM (${queues}) q CROSS JOIN LATERAL (
    SELECT seq, priority FROM jobs WHERE ready = 1 AND queue = q.queue
    ORDER BY priority DESC, seq LIMIT ${count}) c
  ORDER BY c.priority DESC, c.seq LIMIT ${count}`;

/** The queues that have ready jobs, from one to the next along the index. */
export const QUEUES_WITH_READY = `
  WITH RECURSIVE found AS (
    (SELECT queue FROM jobs WHERE ready = 1 ORDER BY queue LIMIT 1)
    UNION ALL
    SELECT (SELECT queue FROM jobs WHERE ready = 1 AND queue > found.queue ORDER BY queue LIMIT 1)
    FROM found WHERE found.queue IS NOT NULL)
  SELECT queue FROM found WHERE queue IS NOT NULL`;

/** What to choose from, as SQL with a parameter, and the parameter's value. */
interface Source {
  readonly kind: 'queues' | 'one job';
  readonly sql: string;
  readonly value: unknown;
}

function sourceOf(turn: Turn, parameter: string): Source {
  if (turn.only !== undefined) {
    const sql = `SELECT seq FROM jobs
      WHERE id = ${parameter}::text AND ready IN (${READINESS.ready}, ${READINESS.atGate})`;
    return { kind: 'one job', sql, value: turn.only };
  }
  if (turn.queues === null) {
    // Every statement has the parameter, used or not, so that all of them take the same values.
    return { kind: 'queues', sql: `${QUEUES_WITH_READY} AND ${parameter}::text IS NULL`, value: null };
  }
  const sql = `SELECT DISTINCT queue COLLATE "C" AS queue FROM unnest(${parameter}::text[]) AS given (queue)`;
  return { kind: 'queues', sql, value: turn.queues };
}

/** Whether anything is there to be claimed. Takes three parameters. */
export function hasReady(
  turn: Turn,
  source: string,
  sizes: readonly [string, string],
): { sql: string; values: readonly unknown[] } {
  const { kind, sql, value } = sourceOf(turn, source);
  const ranges = sizesWithin(sizeOfWorker(turn));
  const values = [value, ...ranges.map(([, most]) => most)];
  // Under their size, jobs wait that were too large for other workers, or for the memory that was left.
  const fitting = ranges.map(
    ([above], i) => `EXISTS (SELECT 1 FROM jobs
      WHERE ready = ${READINESS.atGate} AND waits_at > '${above}' AND waits_at <= ${sizes[i]}::text)`,
  );
  const best = kind === 'one job' ? sql : bestOf(sql, 1);
  return { sql: `(EXISTS (${best}) OR (${kind === 'queues'} AND (${fitting.join(' OR ')})))`, values };
}

/** How many run, over all workers; few, and an index has them. */
export const RUNNING = 'SELECT count(*) FROM jobs WHERE locked_by IS NOT NULL';

/**
 * A worker that is gone, is to stop, or is older than the tables, takes nothing more, nor does one that goes by an older
 * limit over all workers. As SQL with two parameters: its id, and the limit that it knows, as `limitKnown` has it.
 */
export const mayClaim = (id: string, limit: string): string => `NOT ${IS_OUTDATED}
  AND EXISTS (SELECT 1 FROM workers WHERE id = ${id} AND stop_requested IS NULL AND condemned_at IS NULL)
  AND (${limit}::text = '${ANY_LIMIT}' OR ${limit}::text IS NOT DISTINCT FROM
    (SELECT value FROM settings WHERE key = '${LIMIT_OVER_ALL}'))`;

/** No setting is stored as this. */
const ANY_LIMIT = '';
export const limitKnown = (turn: Turn): string | null => {
  const known = knownLimit(turn);
  return known === undefined ? ANY_LIMIT : known;
};

const MAY_CLAIM = mayClaim('$2', '$5');

/** Whether a claim has to count anything, as SQL. */
export const HAS_LIMITS = `(
  (SELECT 1 FROM queue_limits WHERE ${IS_LIMITED} LIMIT 1) IS NOT NULL
  OR (SELECT 1 FROM jobs WHERE ready = 1 AND gated = 1 LIMIT 1) IS NOT NULL
  OR (SELECT 1 FROM freed_gates LIMIT 1) IS NOT NULL
  OR ${HAS_TOO_LARGE})`;

const NOTHING_IS_DUE = `coalesce(${NEXT_DUE_AT} > ${now('$1')}, true)`;

/** Where there is no limit nobody counts. */
const roomFor = (turn: Turn): string =>
  turn.maxConcurrentJobs === null
    ? `CASE WHEN $3::bigint IS NULL THEN ${turn.want} END`
    : `greatest(0, least(${turn.want}, $3::bigint - (${RUNNING})))`;

/**
 * Beyond those wanted, so many of several queues are looked at: others may be taking the best ones at this very moment.
 * A turn that still finds too few is told that there is more.
 */
const TO_SPARE = 32;

/** In a single queue the best are locked in the order of the index; what others have locked is skipped. */
const OF_ONE_QUEUE = `
  SELECT seq, next_run_at FROM jobs
  WHERE ready = 1 AND queue = (SELECT min(queue) FROM queues) AND (SELECT count(*) FROM queues) = 1
  ORDER BY priority DESC, seq LIMIT (SELECT n FROM room) FOR UPDATE SKIP LOCKED`;

/**
 * With several queues the best are found first, and only what is taken is locked: a job that was locked and left would be passed
 * over by others for nothing. They are found by their seq: as `+ready`, readiness tempts nobody to walk along the index
 * of all ready ones.
 */
const OF_THOSE_SEEN = `
  SELECT seq, next_run_at FROM jobs WHERE seq = ANY(ARRAY(SELECT seq FROM seen)) AND +ready = 1
  ORDER BY priority DESC, seq LIMIT (SELECT n FROM room) FOR UPDATE SKIP LOCKED`;

function picked({ sql }: Source, want: number): string {
  const several = 'SELECT queue FROM queues WHERE (SELECT count(*) FROM queues) > 1';
  return `
    queues AS MATERIALIZED (${sql}),
    seen AS MATERIALIZED (${bestOf(several, want + TO_SPARE)}),
    of_one AS MATERIALIZED (${OF_ONE_QUEUE}),
    of_several AS MATERIALIZED (${OF_THOSE_SEEN}),
    picked AS (SELECT * FROM of_one UNION ALL SELECT * FROM of_several)`;
}

/** What was picked changes hands. */
const CLAIMED = `claimed AS (
    UPDATE jobs SET state = '${TRANSITIONS.claim.to}', ready = 0, attempts = attempts + 1, runs = runs + 1,
      next_run_at = NULL, started_at = now, finished_at = NULL, duration_ms = NULL, updated_at = now,
      locked_by = $2, locked_at = now, progress = NULL, progress_note = NULL, result = NULL
    FROM picked, clock WHERE jobs.seq = picked.seq
    RETURNING jobs.seq, runs, priority, started_at, picked.next_run_at AS could_run_at, ${TASK_COLUMNS})`;

const claimStatement = (turn: Turn, source: Source, condition: string): string => `
  WITH room AS MATERIALIZED (SELECT CASE WHEN ${condition} THEN ${roomFor(turn)} ELSE 0 END AS n),
  clock AS MATERIALIZED (SELECT ${now('$1')} AS now),
  ${picked(source, turn.want)},
  ${CLAIMED}
  SELECT claimed.*, least((SELECT n FROM room), (SELECT count(*) FROM seen)) AS expected
  FROM (SELECT 1) always LEFT JOIN claimed ON true
  ORDER BY priority DESC, seq`;

export interface Claim {
  readonly rows: readonly Row[];
  /** Others had their hands on some of them: another look may find more. */
  readonly more: boolean;
}

export const NO_CLAIM: Claim = { rows: [], more: false };

export const claim = (session: Session, turn: Turn, time: number): Promise<Claim> =>
  claimIf(MAY_CLAIM, session, turn, time);

/**
 * A due job may come before those that are ready, so it has to be promoted before any is claimed; and where there are
 * limits, one counts at a time.
 */
export const claimEarly = (session: Session, turn: Turn, givenNow: number | null): Promise<Claim> =>
  claimIf(`${MAY_CLAIM} AND ${NOTHING_IS_DUE} AND NOT ${HAS_LIMITS}`, session, turn, givenNow);

async function claimIf(condition: string, session: Session, turn: Turn, time: number | null): Promise<Claim> {
  if (turn.want <= 0) return NO_CLAIM;
  const source = sourceOf(turn, '$4');
  const { rows } = await session.sql(claimStatement(turn, source, condition), [
    time,
    turn.worker.id,
    turn.maxConcurrentJobs,
    source.value,
    limitKnown(turn),
  ]);
  const claimed = rows.filter((row) => row.seq !== null);
  return { rows: claimed, more: claimed.length < Number(rows[0]?.expected) };
}

const TAKE = `
  WITH clock AS MATERIALIZED (SELECT ${now('$1')} AS now),
  picked AS MATERIALIZED (
    SELECT seq, next_run_at FROM jobs WHERE seq = ANY($3::bigint[])
      AND +ready IN (${READINESS.ready}, ${READINESS.atGate}) ORDER BY seq FOR UPDATE SKIP LOCKED),
  ${CLAIMED}
  SELECT * FROM claimed ORDER BY priority DESC, seq`;

/** Just these, which were chosen before. */
export async function takeSeqs(
  session: Session,
  turn: Turn,
  chosen: readonly Candidate[],
  time: number,
): Promise<Row[]> {
  if (chosen.length === 0) return [];
  return (await session.sql(TAKE, [time, turn.worker.id, chosen.map(({ seq }) => seq)])).rows;
}

const BEGIN_ATTEMPTS = `
  INSERT INTO attempts (job_seq, number, attempt, worker_id, host, boot_id, started_at, waited_ms, log_path, output)
  SELECT seq, run, attempt, $7, $8, $9, started_at, waited_ms, log_path, '${NO_OUTPUT_TEXT}'
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
    AS given (seq, run, attempt, started_at, waited_ms, log_path)`;

/** The attempts of what was claimed. */
export function begin(
  session: Session,
  turn: Turn,
  rows: readonly Row[],
  environments: ReadonlyMap<number, Variables>,
): Claimed[] {
  if (rows.length === 0) return [];
  const claimed = rows.map((row): Claimed => {
    const [task, seq, run] = [claimedTaskOf(row), Number(row.seq), Number(row.runs)];
    const logPath = turn.logPath(task.job.id, run);
    const environment = environments.get(Number(row.environment_id)) ?? null;
    const startedAt = Number(row.started_at);
    const waitedMs = Math.max(0, startedAt - Number(row.could_run_at ?? startedAt));
    return { seq, run, ...task, weight: weightOf(row), waitedMs, environment, logPath };
  });
  const given = rows.map((row, i) => {
    return [row.seq, row.runs, row.attempts, row.started_at, claimed[i]?.waitedMs, claimed[i]?.logPath];
  });
  const { id, host, bootId } = turn.worker;
  session.tell(BEGIN_ATTEMPTS, [...columnsOf(given, 6), id, host, bootId]);
  return claimed;
}
