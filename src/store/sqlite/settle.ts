// Settling attempts, fenced by the lease: an attempt whose lease was lost writes nothing.

import { isDue } from '../../job/due.ts';
import type { Ending } from '../../job/job.ts';
import { plan, type RetryPolicy, type Settlement, TRANSITIONS } from '../../job/lifecycle.ts';
import { recordText } from '../../job/output/output.ts';
import type { Progress } from '../../job/output/progress.ts';
import { cpuMsOf } from '../../job/usage.ts';
import type { Tallies } from '../../series/tallies.ts';
import { HELD_COLUMNS, type HeldRow, heldOf } from '../rows/rows.ts';
import type { EndReport, Lease, Settled, Started } from '../store.ts';
import type { Connection } from './connection.ts';
import { keepPart } from './outputs.ts';

/** True if the lease is valid. */
const IS_HELD = `seq = ? AND runs = ? AND state = '${TRANSITIONS.claim.to}'`;

const HELD = `SELECT ${HELD_COLUMNS} FROM jobs WHERE ${IS_HELD}`;

/** Returns the fields that plan() needs, or undefined if the lease was lost. */
function held(connection: Connection, lease: Lease): HeldRow | undefined {
  const row = connection.sql(HELD).get(lease.seq, lease.run);
  return row && heldOf(row);
}

const RECORD_PROGRESS = `
  UPDATE jobs SET progress = ?, progress_note = ? WHERE ${IS_HELD}`;

export function recordProgress(connection: Connection, { seq, run }: Lease, { percent, note }: Progress): void {
  connection.sql(RECORD_PROGRESS).run(percent, note, seq, run);
}

function recordResult(connection: Connection, seq: number, result: string): void {
  connection.sql('UPDATE jobs SET result = ? WHERE seq = ?').run(result, seq);
}

export function recordStart(connection: Connection, start: Started): void {
  connection
    .sql(`
      UPDATE attempts SET pid = ?, pid_started_at = ? WHERE job_seq = ? AND number = ? AND ended_at IS NULL`)
    .run(start.pid, start.pidStartedAt, start.seq, start.run);
}

export function settle(
  connection: Connection,
  ended: EndReport,
  policy: RetryPolicy,
  tallies: Tallies,
  now: number,
): Settled {
  const { seq, run } = ended;
  const job = held(connection, ended);
  if (!job) return { seq, run, state: null };
  const settlement = plan(job, ended.ending, policy, now, Math.random());
  if (ended.progress) recordProgress(connection, ended, ended.progress);
  if (ended.result) recordResult(connection, seq, ended.result);
  writeEnd(connection, ended, settlement, now);
  writeSettlement(connection, seq, settlement, ended.ending, now);
  const cpuMs = cpuMsOf(ended.usage ?? null);
  tallies.ended(job.queue, settlement.outcome, settlement.state, ended.ending.durationMs, cpuMs);
  return { seq, run, state: settlement.state };
}

function writeEnd(connection: Connection, ended: EndReport, to: Settlement, now: number): void {
  const { seq, run, ending, pid = null, output, usage } = ended;
  connection
    .sql(`
      UPDATE attempts SET ended_at = ?, outcome = ?, exit_code = ?, signal = ?, error = ?, pid = coalesce(pid, ?),
        output = coalesce(?, output), log_path = coalesce(?, log_path),
        peak_memory_bytes = ?, cpu_user_ms = ?, cpu_system_ms = ?
      WHERE job_seq = ? AND number = ?`)
    .run(
      now,
      to.outcome,
      ending.exitCode,
      ending.signal,
      to.error,
      pid,
      output ? recordText(output.record) : null,
      output ? (output.logPath ?? '') : null,
      usage?.peakMemoryBytes ?? null,
      usage?.cpuUserMs ?? null,
      usage?.cpuSystemMs ?? null,
      seq,
      run,
    );
  if (output?.part) keepPart(connection, ended, output.part);
}

function writeSettlement(connection: Connection, seq: number, to: Settlement, ending: Ending, now: number): void {
  connection
    .sql(`
      UPDATE jobs SET state = ?, ready = ?, attempts = ?, interruptions = ?, interruptions_in_row = ?,
        snoozes = ?, next_run_at = ?, finished_at = ?, duration_ms = ?, exit_code = ?, signal = ?, last_error = ?,
        fingerprint = ?, updated_at = ?, locked_by = NULL, locked_at = NULL, cancel_requested_at = NULL
      WHERE seq = ?`)
    .run(
      to.state,
      isDue(to.nextRunAt, now) ? 1 : 0,
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
      now,
      seq,
    );
}
