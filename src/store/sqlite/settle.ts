// The end of an attempt, fenced by its lease: one that was taken away meanwhile writes nothing.

import { isDue } from '../../job/due.ts';
import type { Ending } from '../../job/job.ts';
import { type Held, plan, type RetryPolicy, type Settlement, TRANSITIONS } from '../../job/lifecycle.ts';
import { recordText } from '../../job/output.ts';
import { HELD_COLUMNS } from '../rows.ts';
import type { Ended, Lease, Settled, Started } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepPart } from './outputs.ts';

/** What plan() asks of the job, while this lease holds; else undefined. */
function held(connection: Connection, lease: Lease): Held | undefined {
  return connection
    .sql(`
      SELECT ${HELD_COLUMNS}
      FROM jobs WHERE seq = ? AND runs = ? AND state = '${TRANSITIONS.claim.to}'`)
    .get(lease.seq, lease.number) as Held | undefined;
}

export function recordStart(connection: Connection, start: Started): void {
  connection
    .sql(`
      UPDATE attempts SET pid = ?, pid_started_at = ? WHERE job_seq = ? AND number = ? AND ended_at IS NULL`)
    .run(start.pid, start.pidStartedAt, start.seq, start.number);
}

export function settle(connection: Connection, ended: Ended, policy: RetryPolicy, now: number): Settled {
  const { seq, number } = ended;
  const job = held(connection, ended);
  if (!job) return { seq, number, state: null };
  const settlement = plan(job, ended.ending, policy, now, Math.random());
  writeEnd(connection, ended, now);
  writeSettlement(connection, seq, settlement, ended.ending, now);
  return { seq, number, state: settlement.state };
}

function writeEnd(connection: Connection, ended: Ended, now: number): void {
  const { seq, number, ending, pid = null, output } = ended;
  connection
    .sql(`
      UPDATE attempts SET ended_at = ?, outcome = ?, exit_code = ?, signal = ?, error = ?, pid = coalesce(pid, ?),
        output = coalesce(?, output), log_path = coalesce(?, log_path)
      WHERE job_seq = ? AND number = ?`)
    .run(
      now,
      ending.outcome,
      ending.exitCode,
      ending.signal,
      ending.error,
      pid,
      output ? recordText(output.record) : null,
      output ? (output.logPath ?? '') : null,
      seq,
      number,
    );
  if (output?.part) keepPart(connection, ended, output.part);
}

function writeSettlement(
  connection: Connection,
  seq: number,
  to: Settlement,
  ending: Ending,
  now: number,
): void {
  connection
    .sql(`
      UPDATE jobs SET state = ?, ready = ?, attempts = ?, interruptions = ?, interruptions_in_row = ?,
        next_run_at = ?, finished_at = ?, duration_ms = ?, exit_code = ?, signal = ?, last_error = ?,
        updated_at = ?, locked_by = NULL, locked_at = NULL, cancel_requested_at = NULL
      WHERE seq = ?`)
    .run(
      to.state,
      isDue(to.nextRunAt, now) ? 1 : 0,
      to.attempts,
      to.interruptions,
      to.interruptionsInRow,
      to.nextRunAt,
      to.finishedAt,
      ending.durationMs,
      ending.exitCode,
      ending.signal,
      to.lastError,
      now,
      seq,
    );
}
