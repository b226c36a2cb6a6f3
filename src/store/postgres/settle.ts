// Records the end of attempts, fenced by their leases: a lost lease writes nothing.
// Jobs are locked in the order of seq, here and everywhere else, so that transactions do not deadlock.

import { isDue } from '../../job/due.ts';
import { isPlainSuccess, plan, type RetryPolicy, type Settlement, TRANSITIONS } from '../../job/lifecycle.ts';
import { recordText } from '../../job/output/output.ts';
import { cpuMsOf } from '../../job/usage.ts';
import type { Tallies } from '../../series/tallies.ts';
import { HELD_COLUMNS, type HeldRow, heldOf } from '../rows/rows.ts';
import type { EndReport, Lease, ProgressReport, Settled, Turn } from '../store.ts';
import type { Session } from './session/connection.ts';
import { MAY_BE_FOLLOWED } from './hooks.ts';
import { keepWith, pieceOf } from './outputs.ts';
import { columnsOf, now } from './rows.ts';

/** What the end of a job means for others. */
interface Ending extends Lease {
  readonly is_followed: boolean;
  readonly gated: number;
}

interface HeldJob extends HeldRow, Ending {}

/** Whether its end frees a slot at a gate. */
export const isGated = ({ gated }: Ending): boolean => gated === 1;

/** Whether other jobs may depend on its end, or hooks run for it. */
export const isFollowed = ({ is_followed }: Ending): boolean => is_followed;

const HELD = `
  SELECT seq, runs AS run, gated, ${MAY_BE_FOLLOWED} AS is_followed, ${HELD_COLUMNS}
  FROM jobs WHERE seq = ANY($1::bigint[]) AND state = '${TRANSITIONS.claim.to}' ORDER BY seq FOR UPDATE`;

/** The fields that plan() needs, for jobs that are running. Locks the jobs until the end of the transaction. */
export async function held(session: Session, leases: readonly Lease[]): Promise<HeldJob[]> {
  if (leases.length === 0) return [];
  const { rows } = await session.sql(HELD, [leases.map(({ seq }) => seq)]);
  return rows.map((row) => heldOf<HeldJob>(row));
}

const RECORD_STARTS = `
  UPDATE attempts SET pid = given.pid, pid_started_at = given.pid_started_at
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (seq, run, pid, pid_started_at)
  WHERE job_seq = given.seq AND attempts.number = given.run AND ended_at IS NULL
    AND EXISTS (SELECT 1 FROM workers WHERE id = $5 AND condemned_at IS NULL)`;

/** Writes nothing for a worker that was condemned. The caller has locked the row of the worker. */
export function recordStarts(session: Session, { worker, started }: Turn): void {
  if (started.length === 0) return;
  const rows = started.map(({ seq, run, pid, pidStartedAt }) => [seq, run, pid, pidStartedAt]);
  session.send(RECORD_STARTS, [...columnsOf(rows, 4), worker.id]);
}

const RECORD_PROGRESS = `
  UPDATE jobs SET progress = given.percent, progress_note = given.note
  FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS given (seq, percent, note)
  WHERE jobs.seq = given.seq`;

/** Skips lost leases. */
export function recordProgress(session: Session, reports: readonly ProgressReport[], jobs: readonly Lease[]): void {
  const runs = new Map(jobs.map(({ seq, run }) => [seq, run]));
  const known = reports.filter(({ seq, run }) => runs.get(seq) === run);
  if (known.length === 0) return;
  const rows = known.map(({ seq, percent, note }) => [seq, percent, note]);
  session.send(RECORD_PROGRESS, columnsOf(rows, 3));
}

const RECORD_RESULTS = `
  UPDATE jobs SET result = given.result FROM unnest($1::bigint[], $2::text[]) AS given (seq, result)
  WHERE jobs.seq = given.seq`;

function recordResults(session: Session, ended: readonly EndReport[]): void {
  const rows = ended.filter(({ result }) => result).map(({ seq, result }) => [seq, result]);
  if (rows.length > 0) session.send(RECORD_RESULTS, columnsOf(rows, 2));
}

interface End {
  readonly ended: EndReport;
  readonly to: Settlement;
}

/** Writes the ends of attempts whose lease is held. Returns the outcome of each report. */
export function settle(
  session: Session,
  ended: readonly EndReport[],
  jobs: readonly HeldJob[],
  policy: RetryPolicy,
  tallies: Tallies,
  time: number,
): Settled[] {
  const bySeq = new Map(jobs.map((job) => [job.seq, job]));
  const ends: End[] = [];
  const settled = ended.map((one): Settled => {
    const { seq, run } = one;
    const job = bySeq.get(seq);
    if (job?.run !== run) return { seq, run, state: null };
    bySeq.delete(seq); // if it is reported twice, it ends once
    const to = plan(job, one.ending, policy, time, Math.random());
    ends.push({ ended: one, to });
    tallies.ended(job.queue, to.outcome, to.state, one.ending.durationMs, cpuMsOf(one.usage ?? null));
    return { seq, run, state: to.state };
  });
  if (ends.length > 0) write(session, ends, jobs, time);
  return settled;
}

const WRITE_ENDS = `
  UPDATE attempts SET ended_at = $1, outcome = given.outcome, exit_code = given.exit_code, signal = given.signal,
    error = given.error, pid = coalesce(attempts.pid, given.pid),
    output = coalesce(given.output, attempts.output), log_path = coalesce(given.log_path, attempts.log_path),
    peak_memory_bytes = given.peak, cpu_user_ms = given.cpu_user, cpu_system_ms = given.cpu_system
  FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[],
    $10::text[], $11::bigint[], $12::bigint[], $13::bigint[])
    AS given (seq, run, outcome, exit_code, signal, error, pid, output, log_path, peak, cpu_user, cpu_system)
  WHERE job_seq = given.seq AND attempts.number = given.run`;

const WRITE_SETTLEMENTS = `
  UPDATE jobs SET state = given.state, ready = given.ready, attempts = given.attempts,
    interruptions = given.interruptions, interruptions_in_row = given.interruptions_in_row,
    snoozes = given.snoozes, next_run_at = given.next_run_at, finished_at = given.finished_at,
    duration_ms = given.duration_ms, exit_code = given.exit_code, signal = given.signal,
    last_error = given.last_error, fingerprint = given.fingerprint, updated_at = $1,
    locked_by = NULL, locked_at = NULL, cancel_requested_at = NULL
  FROM unnest($2::bigint[], $3::text[], $4::smallint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::text[])
    AS given (seq, state, ready, attempts, interruptions, interruptions_in_row, snoozes, next_run_at, finished_at,
      duration_ms, exit_code, signal, last_error, fingerprint)
  WHERE jobs.seq = given.seq`;

/** Process, output and usage of an attempt, in the order of the columns. */
const recordOf = ({ pid, output, usage }: EndReport) => [
  pid ?? null,
  output ? recordText(output.record) : null,
  output ? (output.logPath ?? '') : null,
  usage?.peakMemoryBytes ?? null,
  usage?.cpuUserMs ?? null,
  usage?.cpuSystemMs ?? null,
];

function write(session: Session, ends: readonly End[], jobs: readonly HeldJob[], time: number): void {
  const attempts = ends.map(({ ended, to }) => [
    ended.seq,
    ended.run,
    to.outcome,
    ended.ending.exitCode,
    ended.ending.signal,
    to.error,
    ...recordOf(ended),
  ]);
  const settlements = ends.map(({ ended: { seq, ending }, to }) => [
    seq,
    to.state,
    isDue(to.nextRunAt, time) ? 1 : 0,
    to.attempts,
    to.interruptions,
    to.interruptionsInRow,
    to.snoozes,
    to.nextRunAt,
    to.finishedAt,
    ending.durationMs,
    ending.exitCode,
    ending.signal,
    to.lastError,
    to.fingerprint,
  ]);
  session.send(WRITE_ENDS, [time, ...columnsOf(attempts, 12)]);
  session.send(WRITE_SETTLEMENTS, [time, ...columnsOf(settlements, 14)]);
  const ended = ends.map((end) => end.ended);
  writeRest(session, ended, jobs);
}

function writeRest(session: Session, ended: readonly EndReport[], jobs: readonly Lease[]): void {
  const reported = ended.flatMap(({ seq, run, progress }) => (progress ? [{ seq, run, ...progress }] : []));
  recordProgress(session, reported, jobs);
  recordResults(session, ended);
  keepWith(
    session,
    ended.flatMap((one) => pieceOf(one, one.output)),
  );
}

/** Whether all attempts ended alike, so that their ends can be written before the jobs are read. */
export const isAllPlain = ({ ended, progress = [] }: Turn): boolean =>
  progress.length === 0 && ended.every(({ ending }) => isPlainSuccess(ending));

/**
 * Ends attempts that completed, as plan() decides for every job without rules. Writes nothing for a lost lease, a job with
 * rules, or a worker that was condemned. The caller has locked the row of the worker. `IS TRUE` keeps the planner from going
 * through all running jobs.
 */
const COMPLETE = `
  WITH clock AS MATERIALIZED (SELECT ${now('$1')} AS now FROM workers WHERE id = $2 AND condemned_at IS NULL),
  completed AS (
    UPDATE jobs SET state = '${TRANSITIONS.complete.to}', ready = 0, interruptions_in_row = 0, next_run_at = NULL,
      finished_at = now, duration_ms = given.duration_ms, exit_code = given.exit_code, signal = NULL, last_error = NULL,
      fingerprint = NULL, updated_at = now, locked_by = NULL, locked_at = NULL, cancel_requested_at = NULL
    FROM clock, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[],
      $10::bigint[], $11::bigint[], $12::bigint[])
      AS given (seq, run, exit_code, duration_ms, pid, output, log_path, peak, cpu_user, cpu_system)
    WHERE jobs.seq = given.seq AND runs = given.run AND outcome_rules IS NULL
      AND (state = '${TRANSITIONS.claim.to}') IS TRUE
    RETURNING given.*, queue, gated, ${MAY_BE_FOLLOWED} AS is_followed, now),
  recorded AS (
    UPDATE attempts SET ended_at = completed.now, outcome = 'completed', exit_code = completed.exit_code,
      signal = NULL, error = NULL, pid = coalesce(attempts.pid, completed.pid),
      output = coalesce(completed.output, attempts.output), log_path = coalesce(completed.log_path, attempts.log_path),
      peak_memory_bytes = completed.peak, cpu_user_ms = completed.cpu_user, cpu_system_ms = completed.cpu_system
    FROM completed WHERE job_seq = completed.seq AND attempts.number = completed.run)
  SELECT seq, run, queue, gated, is_followed, now FROM completed`;

export interface Completed extends Ending {
  readonly queue: string;
  readonly now: number;
}

/** Writes the ends of completed attempts in one statement. Returns those that it ended. */
export async function complete(
  session: Session,
  { worker, ended }: Turn,
  givenNow: number | null,
): Promise<Completed[]> {
  if (ended.length === 0) return [];
  const inOrder = [...ended].sort((a, b) => a.seq - b.seq);
  const rows = inOrder.map((one) => [one.seq, one.run, one.ending.exitCode, one.ending.durationMs, ...recordOf(one)]);
  const result = await session.sql(COMPLETE, [givenNow, worker.id, ...columnsOf(rows, 10)]);
  return result.rows as unknown as Completed[];
}

/** Whether `complete` has written each report. A report that occurs twice is written once. */
export function areWritten(ended: readonly EndReport[], completed: readonly Completed[]): boolean[] {
  const runs = new Map(completed.map(({ seq, run }) => [seq, run]));
  return ended.map(({ seq, run }) => runs.get(seq) === run && runs.delete(seq));
}

/** Writes what is stored elsewhere about completed attempts, and counts them. */
export function finish(
  session: Session,
  written: readonly EndReport[],
  completed: readonly Completed[],
  tallies: Tallies,
): Settled[] {
  const { to: state } = TRANSITIONS.complete;
  const queues = new Map(completed.map(({ seq, queue }) => [seq, queue]));
  for (const { seq, ending, usage } of written)
    tallies.ended(queues.get(seq) ?? '', ending.outcome, state, ending.durationMs, cpuMsOf(usage ?? null));
  writeRest(session, written, written);
  return written.map(({ seq, run }) => ({ seq, run, state }));
}
