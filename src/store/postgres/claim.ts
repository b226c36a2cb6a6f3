// Claims jobs: due ones become ready, then the best ready ones are assigned to a worker.
// Both cost O(log n) in the number of jobs, because each query has an index of only its jobs. Limits are part of the
// statement text: for a parameter, the planner would assume a tenth of the table.

import { isDue } from '../../job/due.ts';
import { type Candidate, sizesWithin } from '../../job/flow/concurrency.ts';
import { confinementOf, reservedBy } from '../../job/isolation/isolation.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { NO_OUTPUT_TEXT } from '../../job/output/output.ts';
import { READINESS } from '../../job/readiness.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import { isLastLook, LOOKS_IN_A_TURN, reservesByQueue, restOf, sizeOfWorker } from '../rows/limit-rows.ts';
import { claimedTaskOf, type Row, TASK_COLUMNS, weightOf } from '../rows/rows.ts';
import { PROMOTE_AT_ONCE, WAITING } from '../sql/due.ts';
import { knownLimit, LIMIT_OVER_ALL } from '../sql/turn-rules.ts';
import type { Claimed, Turn } from '../store.ts';
import { variablesOf } from './environments.ts';
import { TURN_INFO, type TurnInfo, turnInfoOf, HAS_LIMITS, NEXT_DUE_AT } from './turn-info.ts';
import { chooseWithin, countStarts, fittingSizes, refillFreed, RUNNING, setAside } from './limits.ts';
import { IS_OUTDATED } from './migrate.ts';
import { QUEUES_WITH_READY } from './queues.ts';
import { columnsOf, now } from './rows.ts';
import type { Connection, Session } from './session/connection.ts';
import { lockFor } from './session/exclusive.ts';

/** Skips jobs that are locked at this moment: another transaction is about to promote or change them. */
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

interface Promoted {
  readonly more: boolean;
  readonly isAnyGated: boolean;
}

async function promote(session: Session, time: number): Promise<Promoted> {
  const { rows } = await session.sql(PROMOTE, [time]);
  return { more: Number(rows[0]?.n) >= PROMOTE_AT_ONCE, isAnyGated: Boolean(rows[0]?.is_any_gated) };
}

/** The best jobs of each queue, then the best of those: the index is by queue, and there are few queues. */
const bestOf = (queues: string, count: number): string => `
  SELECT c.seq FROM (${queues}) q CROSS JOIN LATERAL (
    SELECT seq, priority FROM jobs WHERE ready = 1 AND queue = q.queue
    ORDER BY priority DESC, seq LIMIT ${count}) c
  ORDER BY c.priority DESC, c.seq LIMIT ${count}`;

/** The queues that the worker serves, with `turn.queues` as the parameter. */
const queuesOf = ({ queues }: Turn, parameter: string): string =>
  queues === null
    ? // Every statement uses the parameter, so that all of them take the same values.
      `${QUEUES_WITH_READY} AND ${parameter}::text IS NULL`
    : `SELECT DISTINCT queue COLLATE "C" AS queue FROM unnest(${parameter}::text[]) AS given (queue)`;

/** Whether a claim would find anything, as SQL that takes these values as its parameters from number `first` on. */
export function hasReady(turn: Turn, first: number): { sql: string; values: readonly unknown[] } {
  const hasRoom = `($${first}::bigint IS NULL OR (${RUNNING}) < $${first}::bigint)`;
  const source = `$${first + 1}`;
  if (turn.only !== undefined) {
    const isClaimable = `id = ${source}::text AND ready IN (${READINESS.ready}, ${READINESS.atGate})`;
    return {
      sql: `(${hasRoom} AND EXISTS (SELECT 1 FROM jobs WHERE ${isClaimable}))`,
      values: [turn.maxConcurrentJobs, turn.only],
    };
  }
  const ranges = sizesWithin(sizeOfWorker(turn));
  // Jobs that were too large for other workers, or for the memory that was left, wait under their size.
  const fitting = ranges.map(
    ([above], i) => `EXISTS (SELECT 1 FROM jobs
      WHERE ready = ${READINESS.atGate} AND waits_at > '${above}' AND waits_at <= $${first + 2 + i}::text)`,
  );
  const found = [`EXISTS (${bestOf(queuesOf(turn, source), 1)})`, ...fitting];
  return {
    sql: `(${hasRoom} AND (${found.join(' OR ')}))`,
    values: [turn.maxConcurrentJobs, turn.queues, ...ranges.map(([, most]) => most)],
  };
}

/**
 * A worker that was condemned, is stopping or is older than the schema claims nothing, nor does one that uses an outdated
 * limit over all workers. SQL with two parameters: the ID of the worker, and `limitKnown` of its turn.
 */
const mayClaim = (id: string, limit: string): string => `NOT ${IS_OUTDATED}
  AND EXISTS (SELECT 1 FROM workers WHERE id = ${id} AND stop_requested IS NULL AND condemned_at IS NULL)
  AND (${limit}::text = '${ANY_LIMIT}' OR ${limit}::text IS NOT DISTINCT FROM
    (SELECT value FROM settings WHERE key = '${LIMIT_OVER_ALL}'))`;

/** No setting is stored as this text. */
const ANY_LIMIT = '';
function limitKnown(turn: Turn): string | null {
  const known = knownLimit(turn);
  return known === undefined ? ANY_LIMIT : known;
}

const MAY_CLAIM = mayClaim('$2', '$5');

/** Running jobs are counted only if there is a limit. */
const roomFor = (turn: Turn): string =>
  turn.maxConcurrentJobs === null
    ? `CASE WHEN $3::bigint IS NULL THEN ${turn.want} END`
    : `greatest(0, least(${turn.want}, $3::bigint - (${RUNNING})))`;

/**
 * With several queues, a claim considers this many more jobs than it wants, because other workers may be claiming the best ones
 * at the same time. A turn that still finds too few reports that there are more.
 */
const EXTRA_CANDIDATES = 32;

/** In a single queue, locks the best jobs in the order of the index and skips those that others have locked. */
const OF_ONE_QUEUE = `
  SELECT seq, next_run_at FROM jobs
  WHERE ready = 1 AND queue = (SELECT min(queue) FROM queues) AND (SELECT count(*) FROM queues) = 1
  ORDER BY priority DESC, seq LIMIT (SELECT n FROM room) FOR UPDATE SKIP LOCKED`;

/**
 * With several queues, finds the best jobs first and locks only those that it takes: others would skip a job that was
 * locked but not taken. The jobs are looked up by seq. `+ready` keeps the planner from scanning the index of all ready jobs
 * instead.
 */
const OF_CANDIDATES = `
  SELECT seq, next_run_at FROM jobs WHERE seq = ANY(ARRAY(SELECT seq FROM candidates)) AND +ready = 1
  ORDER BY priority DESC, seq LIMIT (SELECT n FROM room) FOR UPDATE SKIP LOCKED`;

function picked(turn: Turn): string {
  const several = 'SELECT queue FROM queues WHERE (SELECT count(*) FROM queues) > 1';
  return `
    queues AS MATERIALIZED (${queuesOf(turn, '$4')}),
    candidates AS MATERIALIZED (${bestOf(several, turn.want + EXTRA_CANDIDATES)}),
    of_one AS MATERIALIZED (${OF_ONE_QUEUE}),
    of_several AS MATERIALIZED (${OF_CANDIDATES}),
    picked AS (SELECT * FROM of_one UNION ALL SELECT * FROM of_several)`;
}

/** Assigns the picked jobs to the worker. */
const CLAIMED = `claimed AS (
    UPDATE jobs SET state = '${TRANSITIONS.claim.to}', ready = 0, attempts = attempts + 1, runs = runs + 1,
      next_run_at = NULL, started_at = now, finished_at = NULL, duration_ms = NULL, updated_at = now,
      locked_by = $2, locked_at = now, progress = NULL, progress_note = NULL, result = NULL
    FROM picked, clock WHERE jobs.seq = picked.seq
    RETURNING jobs.seq, runs, priority, started_at, picked.next_run_at AS could_run_at, ${TASK_COLUMNS})`;

const claimStatement = (turn: Turn, condition: string): string => `
  WITH room AS MATERIALIZED (SELECT CASE WHEN ${condition} THEN ${roomFor(turn)} ELSE 0 END AS n),
  clock AS MATERIALIZED (SELECT ${now('$1')} AS now),
  ${picked(turn)},
  ${CLAIMED}
  SELECT claimed.*, least((SELECT n FROM room), (SELECT count(*) FROM candidates)) AS expected
  FROM (SELECT 1) always LEFT JOIN claimed ON true
  ORDER BY priority DESC, seq`;

interface Taken {
  readonly rows: readonly Row[];
  /** Another look may find more, for example because other workers had locked some of the jobs. */
  readonly more: boolean;
}

const NOTHING: Taken = { rows: [], more: false };

async function takeBest(session: Session, turn: Turn, condition: string, time: number | null): Promise<Taken> {
  if (turn.want <= 0) return NOTHING;
  const { rows } = await session.sql(claimStatement(turn, condition), [
    time,
    turn.worker.id,
    turn.maxConcurrentJobs,
    turn.queues,
    limitKnown(turn),
  ]);
  const taken = rows.filter((row) => row.seq !== null);
  return { rows: taken, more: taken.length < Number(rows[0]?.expected) };
}

/** Jobs that were claimed before the outcome of finished attempts was decided. null: this turn has to wait for it. */
export type EarlyClaim = Taken | null;

/**
 * A due job may come before the ready ones, so it has to be promoted first. Under limits, only one worker claims at a time.
 */
const IS_EARLY = `${MAY_CLAIM} AND coalesce(${NEXT_DUE_AT} > ${now('$1')}, true) AND NOT ${HAS_LIMITS}`;

/** Claims in the first round trip of a turn. Completed attempts neither free a slot under a limit nor become ready again. */
export async function claimEarly(session: Session, turn: Turn, givenNow: number | null): Promise<EarlyClaim> {
  const canClaim =
    turn.maxConcurrentJobs === null &&
    !alwaysCounts(turn) &&
    turn.ended.every(({ ending }) => ending.outcome === 'completed');
  return canClaim ? takeBest(session, turn, IS_EARLY, givenNow) : null;
}

/** Whether a turn looks at limits even if none is set. */
const alwaysCounts = (turn: Turn): boolean => reservesByQueue(turn) || turn.only !== undefined;

/** What a turn knows before it completes its claim. */
interface BeforeClaim {
  readonly early: EarlyClaim;
  readonly seen: TurnInfo;
  /** Whether the end of an attempt frees a slot at a gate. */
  readonly isAnyGated: boolean;
  readonly time: number;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** Another look would find more. */
  readonly more: boolean;
  /** The queue as the claim has left it. */
  readonly seen: TurnInfo;
}

/** Completes the claim of a turn, after the outcomes of its finished attempts are written. */
export async function claim(connection: Connection, session: Session, turn: Turn, before: BeforeClaim): Promise<Claim> {
  const { early, seen, isAnyGated, time } = before;
  const isComplete = early !== null && !seen.hasLimits && !isDue(seen.nextDueAt, time);
  const { rows, ...rest } = isComplete
    ? { ...early, more: early.more || isAnyGated, seen } // the next turn gives away the slot at the gate
    : await claimLate(connection, session, turn, before);
  return { claimed: await begin(connection, session, turn, rows), ...rest };
}

const NOTHING_PROMOTED: Promoted = { more: false, isAnyGated: false };

async function claimLate(
  connection: Connection,
  session: Session,
  turn: Turn,
  { early, seen, isAnyGated, time }: BeforeClaim,
): Promise<Taken & Pick<Claim, 'seen'>> {
  const before = early?.rows ?? [];
  const rest = { ...turn, want: turn.want - before.length };
  const promoted = isDue(seen.nextDueAt, time) ? await promote(session, time) : NOTHING_PROMOTED;
  const isLimited = seen.hasLimits || isAnyGated || promoted.isAnyGated || alwaysCounts(turn);
  // Under a limit, one worker claims at a time: each has to count what the one before it has claimed.
  if (isLimited || turn.maxConcurrentJobs !== null) lockFor(connection, session, 'count running jobs');
  const taking = isLimited ? await claimWithin(session, rest, time) : takeBest(session, rest, MAY_CLAIM, time); // travels with the statement below
  const looking = session.sql(`SELECT ${TURN_INFO}`, [turn.worker.id]);
  const [taken, look] = await Promise.all([taking, looking]);
  return {
    rows: [...before, ...taken.rows],
    more: promoted.more || taken.more,
    seen: turnInfoOf(look.rows[0] ?? {}),
  };
}

/** The caller holds the lock. Looks several times, because jobs that are set aside make way for others. */
async function claimWithin(session: Session, turn: Turn, time: number): Promise<Taken> {
  const isMoreFreed = await refillFreed(session);
  if (turn.want <= 0 || !(await isAllowed(session, turn))) return { ...NOTHING, more: isMoreFreed };
  const rows: Row[] = [];
  const sizes = await fittingSizes(session, turn);
  let isAnyTooLarge = false;
  for (let looks = 0; looks < LOOKS_IN_A_TURN; looks++) {
    const rest = restOf(turn, rows.map(takenFrom(turn)));
    const choice = await chooseWithin(session, rest, sizes, time);
    rows.push(...(await take(session, turn, choice.taken, time)));
    await countStarts(session, choice, time);
    await setAside(session, choice);
    if (isLastLook(turn, choice)) return { rows, more: isMoreFreed || isAnyTooLarge };
    isAnyTooLarge ||= choice.tooLarge.length > 0; // it may have left a slot of its key, which the next turn gives away
  }
  return { rows, more: true };
}

const takenFrom =
  ({ memory }: Turn) =>
  (row: Row): { weight: number; bytes: number } => ({
    weight: weightOf(row),
    bytes: reservedBy(confinementOf(row.confinement) ?? null, memory?.ofQueues?.[String(row.queue)]),
  });

async function isAllowed(session: Session, turn: Turn): Promise<boolean> {
  const statement = `SELECT ${mayClaim('$1', '$2')} AS may`;
  const { rows } = await session.sql(statement, [turn.worker.id, limitKnown(turn)]);
  return Boolean(rows[0]?.may);
}

const TAKE = `
  WITH clock AS MATERIALIZED (SELECT ${now('$1')} AS now),
  picked AS MATERIALIZED (
    SELECT seq, next_run_at FROM jobs WHERE seq = ANY($3::bigint[])
      AND +ready IN (${READINESS.ready}, ${READINESS.atGate}) ORDER BY seq FOR UPDATE SKIP LOCKED),
  ${CLAIMED}
  SELECT * FROM claimed ORDER BY priority DESC, seq`;

async function take(session: Session, turn: Turn, chosen: readonly Candidate[], time: number): Promise<Row[]> {
  if (chosen.length === 0) return [];
  return (await session.sql(TAKE, [time, turn.worker.id, chosen.map(({ seq }) => seq)])).rows;
}

const BEGIN = `
  INSERT INTO attempts (job_seq, number, attempt, worker_id, host, boot_id, started_at, waited_ms, log_path, output)
  SELECT seq, run, attempt, $7, $8, $9, started_at, waited_ms, log_path, '${NO_OUTPUT_TEXT}'
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
    AS given (seq, run, attempt, started_at, waited_ms, log_path)`;

/** Creates the attempts of claimed jobs. */
async function begin(connection: Connection, session: Session, turn: Turn, rows: readonly Row[]): Promise<Claimed[]> {
  if (rows.length === 0) return [];
  const environments = await variablesOf(connection, session, rows);
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
  session.send(BEGIN, [...columnsOf(given, 6), id, host, bootId]);
  return claimed;
}
