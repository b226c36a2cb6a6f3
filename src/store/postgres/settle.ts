// The end of attempts, fenced by their leases: one that was taken away meanwhile writes nothing.
// Jobs are locked in the order of their seq, here and everywhere, so that no two transactions wait for each other.

import { isDue } from '../../job/due.ts';
import { type Held, plan, type RetryPolicy, type Settlement, TRANSITIONS } from '../../job/lifecycle.ts';
import { recordText } from '../../job/output.ts';
import { HELD_COLUMNS } from '../rows.ts';
import type { Ended, Lease, Settled, Started } from '../store.ts';
import type { Session } from './connection.ts';
import { keepWith, pieceOf } from './outputs.ts';
import { columnsOf } from './rows.ts';

interface HeldJob extends Held, Lease {}

const HELD = `
  SELECT seq, runs AS number, ${HELD_COLUMNS}
  FROM jobs WHERE seq = ANY($1::bigint[]) AND state = '${TRANSITIONS.claim.to}' ORDER BY seq FOR UPDATE`;

/** What plan() asks of the jobs, of those that run; locked until the end of the transaction. */
export async function held(session: Session, leases: readonly Lease[]): Promise<HeldJob[]> {
  if (leases.length === 0) return [];
  const { rows } = await session.sql(HELD, [leases.map(({ seq }) => seq)]);
  return rows as unknown as HeldJob[];
}

const RECORD_STARTS = `
  UPDATE attempts SET pid = given.pid, pid_started_at = given.pid_started_at
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS given (seq, number, pid, pid_started_at)
  WHERE job_seq = given.seq AND attempts.number = given.number AND ended_at IS NULL`;

export function recordStarts(session: Session, started: readonly Started[]): void {
  if (started.length === 0) return;
  const rows = started.map(({ seq, number, pid, pidStartedAt }) => [seq, number, pid, pidStartedAt]);
  session.tell(RECORD_STARTS, columnsOf(rows, 4));
}

interface End {
  readonly ended: Ended;
  readonly to: Settlement;
}

/** Writes the ends of those whose lease holds, and tells what became of each. */
export function settle(
  session: Session,
  ended: readonly Ended[],
  jobs: readonly HeldJob[],
  policy: RetryPolicy,
  time: number,
): Settled[] {
  const bySeq = new Map(jobs.map((job) => [job.seq, job]));
  const ends: End[] = [];
  const settled = ended.map((one): Settled => {
    const { seq, number } = one;
    const job = bySeq.get(seq);
    if (job?.number !== number) return { seq, number, state: null };
    bySeq.delete(seq); // told twice, it ends once
    const to = plan(job, one.ending, policy, time, Math.random());
    ends.push({ ended: one, to });
    return { seq, number, state: to.state };
  });
  if (ends.length > 0) write(session, ends, time);
  return settled;
}

const WRITE_ENDS = `
  UPDATE attempts SET ended_at = $1, outcome = given.outcome, exit_code = given.exit_code, signal = given.signal,
    error = given.error, pid = coalesce(attempts.pid, given.pid),
    output = coalesce(given.output, attempts.output), log_path = coalesce(given.log_path, attempts.log_path)
  FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::text[],
    $10::text[])
    AS given (seq, number, outcome, exit_code, signal, error, pid, output, log_path)
  WHERE job_seq = given.seq AND attempts.number = given.number`;

const WRITE_SETTLEMENTS = `
  UPDATE jobs SET state = given.state, ready = given.ready, attempts = given.attempts,
    interruptions = given.interruptions, interruptions_in_row = given.interruptions_in_row,
    next_run_at = given.next_run_at, finished_at = given.finished_at, duration_ms = given.duration_ms,
    exit_code = given.exit_code, signal = given.signal, last_error = given.last_error, updated_at = $1,
    locked_by = NULL, locked_at = NULL, cancel_requested_at = NULL
  FROM unnest($2::bigint[], $3::text[], $4::smallint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
    $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::text[])
    AS given (seq, state, ready, attempts, interruptions, interruptions_in_row, next_run_at, finished_at,
      duration_ms, exit_code, signal, last_error)
  WHERE jobs.seq = given.seq`;

function write(session: Session, ends: readonly End[], time: number): void {
  const attempts = ends.map(({ ended: { seq, number, ending, pid, output } }) => [
    seq,
    number,
    ending.outcome,
    ending.exitCode,
    ending.signal,
    ending.error,
    pid ?? null,
    output ? recordText(output.record) : null,
    output ? (output.logPath ?? '') : null,
  ]);
  const jobs = ends.map(({ ended: { seq, ending }, to }) => [
    seq,
    to.state,
    isDue(to.nextRunAt, time) ? 1 : 0,
    to.attempts,
    to.interruptions,
    to.interruptionsInRow,
    to.nextRunAt,
    to.finishedAt,
    ending.durationMs,
    ending.exitCode,
    ending.signal,
    to.lastError,
  ]);
  session.tell(WRITE_ENDS, [time, ...columnsOf(attempts, 9)]);
  session.tell(WRITE_SETTLEMENTS, [time, ...columnsOf(jobs, 12)]);
  keepWith(
    session,
    ends.flatMap(({ ended }) => pieceOf(ended, ended.output)),
  );
}
