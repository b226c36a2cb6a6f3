// A job and its attempts as JSON: snake_case, times as ISO 8601 UTC. The same for CLI, HTTP and library.

import type { Variables } from './environment.ts';
import type { Attempt, Job } from './job.ts';

export type Json = Readonly<Record<string, unknown>>;

const HIDDEN = '***';

export const isoTime = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

/** Values may be secrets: they are shown only when asked for. */
export const variablesToJson = (variables: Variables, show: { env: boolean }): Json =>
  show.env ? variables : Object.fromEntries(Object.keys(variables).map((name) => [name, HIDDEN]));

export function jobToJson(job: Job, show: { env: boolean } = { env: false }): Json {
  return {
    id: job.id,
    command: job.command,
    queue: job.queue,
    state: job.state,
    priority: job.priority,
    attempts: job.attempts,
    interruptions: job.interruptions,
    max_retries: job.maxRetries,
    backoff_base: job.backoffBase,
    backoff_strategy: job.backoffStrategy,
    timeout_seconds: job.timeoutSeconds,
    run_at: isoTime(job.runAt),
    next_run_at: isoTime(job.nextRunAt),
    cwd: job.cwd,
    env: variablesToJson(job.env, show),
    split_output: job.splitOutput,
    created_at: isoTime(job.createdAt),
    updated_at: isoTime(job.updatedAt),
    started_at: isoTime(job.startedAt),
    finished_at: isoTime(job.finishedAt),
    duration_ms: job.durationMs,
    exit_code: job.exitCode,
    signal: job.signal,
    last_error: job.lastError,
    locked_by: job.lockedBy,
    locked_at: isoTime(job.lockedAt),
    log_path: job.logPath,
  };
}

export function attemptToJson(attempt: Attempt): Json {
  return {
    number: attempt.attempt,
    worker: attempt.workerId,
    host: attempt.host,
    pid: attempt.pid,
    started_at: isoTime(attempt.startedAt),
    ended_at: isoTime(attempt.endedAt),
    duration_ms: attempt.endedAt === null ? null : attempt.endedAt - attempt.startedAt,
    outcome: attempt.outcome,
    exit_code: attempt.exitCode,
    signal: attempt.signal,
    error: attempt.error,
    log_path: attempt.logPath,
  };
}
