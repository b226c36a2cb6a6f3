// Taking jobs: due ones are promoted from waiting to ready, then the best ready ones change hands.
// Both cost O(log n) whatever else is in the table, because each question has an index of just its jobs. Limits are
// written into the statements: a planner that does not know them reckons with a tenth of the table.

import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { jobOf, type Row } from '../rows.ts';
import type { Claimed, Turn } from '../store.ts';
import type { Connection, Session } from './connection.ts';
import { columnsOf, now } from './rows.ts';

const CLAIMABLE: readonly JobState[] = TRANSITIONS.claim.from;

/** Of each state. Bounds a turn when very many jobs come due at once; the rest follows in the next turn. */
const PROMOTE_AT_ONCE = 1000;

/** Jobs that others hold at this moment are passed over: whoever holds one is about to promote or change it. */
const PROMOTE = `
  WITH ${CLAIMABLE.map(
    (state) => `due_${state} AS (
      SELECT seq FROM jobs WHERE ready = 0 AND next_run_at IS NOT NULL AND state = '${state}' AND next_run_at <= $1
      ORDER BY next_run_at LIMIT ${PROMOTE_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  ).join(', ')}
  UPDATE jobs SET ready = 1
  WHERE seq = ANY(ARRAY(${CLAIMABLE.map((state) => `SELECT seq FROM due_${state}`).join(' UNION ALL ')}))`;

export async function promote(session: Session, time: number): Promise<{ more: boolean }> {
  const { count } = await session.sql(PROMOTE, [time]);
  return { more: count >= PROMOTE_AT_ONCE };
}

/** When the next waiting job in this state becomes due. */
export const dueAt = (state: JobState): string => `(
  SELECT next_run_at FROM jobs WHERE ready = 0 AND next_run_at IS NOT NULL AND state = '${state}'
  ORDER BY next_run_at LIMIT 1)`;

/** When the next waiting job becomes due. least() leaves out what is NULL. */
export const NEXT_DUE_AT = `least(${CLAIMABLE.map(dueAt).join(', ')})`;

/** Those that wait longest come first: an end in the future is the longest wait there is. */
const FROM_THE_FUTURE = `
  SELECT seq FROM (
    SELECT seq, updated_at FROM jobs WHERE ready = 0 AND next_run_at IS NOT NULL AND state = 'failed'
    ORDER BY next_run_at DESC LIMIT ${PROMOTE_AT_ONCE}) waiting
  WHERE updated_at > ${now('$1')} + 1000`;

export async function hasFutureEnds(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`${FROM_THE_FUTURE} LIMIT 1`, [connection.givenNow]);
  return rows.length > 0;
}

export async function mendBackoffs(connection: Connection, session: Session): Promise<number> {
  const { count } = await session.sql(
    `WITH ahead AS (
       SELECT seq FROM jobs WHERE seq = ANY(ARRAY(${FROM_THE_FUTURE})) AND ready = 0 AND state = 'failed'
         AND next_run_at IS NOT NULL AND updated_at > ${now('$1')} + 1000
       ORDER BY seq FOR UPDATE)
     UPDATE jobs SET next_run_at = ${now('$1')} + next_run_at - updated_at, updated_at = ${now('$1')}
     WHERE seq = ANY(ARRAY(SELECT seq FROM ahead))`,
    [connection.givenNow],
  );
  return count;
}

/**
 * Beyond those wanted, so many are looked at: others may be taking the best ones at this very moment. Whoever still
 * finds too few is told that there is more.
 */
const TO_SPARE = 32;

/** The best of each queue, then the best of those: the index is by queue, and queues are few. */
const candidatesOf = (queues: string, count: number): string => `
  SELECT c.seq FROM (${queues}) q CROSS JOIN LATERAL (
    SELECT seq, priority FROM jobs WHERE ready = 1 AND queue = q.queue
    ORDER BY priority DESC, seq LIMIT ${count}) c
  ORDER BY c.priority DESC, c.seq LIMIT ${count}`;

/** The queues that have ready jobs, from one to the next along the index. */
const QUEUES_WITH_READY = `
  WITH RECURSIVE found AS (
    (SELECT queue FROM jobs WHERE ready = 1 ORDER BY queue LIMIT 1)
    UNION ALL
    SELECT (SELECT queue FROM jobs WHERE ready = 1 AND queue > found.queue ORDER BY queue LIMIT 1)
    FROM found WHERE found.queue IS NOT NULL)
  SELECT queue FROM found WHERE queue IS NOT NULL`;

const GIVEN_QUEUES = (parameter: string): string =>
  `SELECT DISTINCT queue COLLATE "C" AS queue FROM unnest(${parameter}::text[]) AS given (queue)`;

/** The seqs of what may be claimed, the best first, and the value that `parameter` stands for. */
export function candidates(turn: Turn, count: number, parameter: string): { sql: string; value: unknown } {
  if (turn.only !== undefined) {
    return { sql: `SELECT seq FROM jobs WHERE id = ${parameter}::text AND ready = 1`, value: turn.only };
  }
  if (turn.queues === null) {
    // Every statement has the parameter, used or not, so that all of them take the same values.
    const queues = `${QUEUES_WITH_READY} AND ${parameter}::text IS NULL`;
    return { sql: candidatesOf(queues, count), value: null };
  }
  return { sql: candidatesOf(GIVEN_QUEUES(parameter), count), value: turn.queues };
}

/** How many run, over all workers; few, and an index has them. */
export const RUNNING = 'SELECT count(*) FROM jobs WHERE locked_by IS NOT NULL';

/** Where there is no limit nobody counts. */
const roomFor = (turn: Turn): string =>
  turn.maxConcurrentJobs === null
    ? `SELECT ${turn.want} AS n WHERE $3::bigint IS NULL`
    : `SELECT greatest(0, least(${turn.want}, $3::bigint - (${RUNNING}))) AS n`;

function claimStatement(turn: Turn): { sql: string; value: unknown } {
  const { sql, value } = candidates(turn, turn.want + TO_SPARE, '$4');
  return {
    value,
    // Only what is taken is locked: a job that was locked and left would be passed over by others for nothing.
    // Those seen are found by their seq: as `+ready`, readiness tempts nobody to walk along the index of all ready ones.
    sql: `
      WITH seen AS MATERIALIZED (${sql}),
      room AS MATERIALIZED (${roomFor(turn)}),
      picked AS MATERIALIZED (
        SELECT seq, next_run_at FROM jobs WHERE seq = ANY(ARRAY(SELECT seq FROM seen)) AND +ready = 1
        ORDER BY priority DESC, seq LIMIT (SELECT n FROM room) FOR UPDATE SKIP LOCKED),
      claimed AS (
        UPDATE jobs SET state = '${TRANSITIONS.claim.to}', ready = 0, attempts = attempts + 1, runs = runs + 1,
          next_run_at = NULL, started_at = $1, finished_at = NULL, duration_ms = NULL, updated_at = $1,
          locked_by = $2, locked_at = $1
        WHERE seq = ANY(ARRAY(SELECT seq FROM picked)) RETURNING *)
      SELECT claimed.*, picked.next_run_at AS could_run_at,
        least((SELECT n FROM room), (SELECT count(*) FROM seen)) AS expected
      FROM (SELECT 1) always LEFT JOIN (claimed JOIN picked USING (seq)) ON true
      ORDER BY priority DESC, seq`,
  };
}

export interface Claim {
  readonly rows: readonly Row[];
  /** Others had their hands on some of them: another look may find more. */
  readonly more: boolean;
}

export async function claim(session: Session, turn: Turn, time: number): Promise<Claim> {
  if (turn.want <= 0) return { rows: [], more: false };
  const { sql, value } = claimStatement(turn);
  const { rows } = await session.sql(sql, [time, turn.worker.id, turn.maxConcurrentJobs, value]);
  const claimed = rows.filter((row) => row.seq !== null);
  return { rows: claimed, more: claimed.length < Number(rows[0]?.expected) };
}

const BEGIN_ATTEMPTS = `
  INSERT INTO attempts (job_seq, number, worker_id, host, boot_id, started_at, waited_ms, log_path)
  SELECT seq, number, $5, $6, $7, $8, waited_ms, log_path
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (seq, number, waited_ms, log_path)`;

/** The attempts of what was claimed; they are written with the commit. */
export function begin(session: Session, turn: Turn, rows: readonly Row[], time: number): Claimed[] {
  if (rows.length === 0) return [];
  const claimed = rows.map((row): Claimed => {
    const [job, seq, number] = [jobOf(row), Number(row.seq), Number(row.runs)];
    const logPath = turn.logPath(job.id, number);
    return { seq, number, job: { ...job, logPath }, logPath };
  });
  const waited = rows.map((row) => Math.max(0, time - Number(row.could_run_at ?? time)));
  const columns = columnsOf(
    claimed.map(({ seq, number, logPath }, i) => [seq, number, waited[i], logPath]),
    4,
  );
  const { id, host, bootId } = turn.worker;
  session.finally(BEGIN_ATTEMPTS, [...columns, id, host, bootId, time]);
  return claimed;
}
