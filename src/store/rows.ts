// Between table rows and jobs: the columns have the same names in every store, and so it is the same for all.

import type { Attempt, Job, NewJob } from '../job/job.ts';
import { recordOf } from '../job/output.ts';
import { readTask } from '../job/record.ts';
import type { Claimed, NewWorker, StopMode, Task, WorkerRecord } from './store.ts';

export type Row = Record<string, unknown>;

/** What a new job brings along, in the order of `newJobValues`. */
export const NEW_JOB_COLUMNS = [
  'id', 'queue', 'priority', 'command', 'is_argv', 'max_retries', 'backoff_base', 'backoff_strategy',
  'timeout_seconds', 'run_at', 'cwd', 'env', 'split_output',
] as const; // biome-ignore format: a list of words

type Value = string | number | null;

export function newJobValues(job: NewJob): Value[] {
  const isArgv = typeof job.command !== 'string';
  return [
    job.id,
    job.queue,
    job.priority,
    isArgv ? JSON.stringify(job.command) : (job.command as string),
    isArgv ? 1 : 0,
    job.maxRetries,
    job.backoffBase,
    job.backoffStrategy,
    job.timeoutSeconds,
    job.runAt,
    job.cwd,
    hasEntries(job.env) ? JSON.stringify(job.env) : null,
    job.splitOutput ? 1 : 0,
  ];
}

function hasEntries(record: object): boolean {
  for (const _ in record) return true;
  return false;
}

/** The columns that a claim asks for. It is made for every job, and takes less time the less it tells. */
export const TASK_COLUMNS =
  'id, command, is_argv, queue, attempts, timeout_seconds, cwd, env, split_output, environment_id';

/** The task of a claimed job, and what is wrong with its record if it cannot be run. */
export function claimedTaskOf(row: Row): Pick<Claimed, 'job' | 'malformed'> {
  const { malformed, ...read } = readTask({
    command: row.command,
    isArgv: Boolean(row.is_argv),
    timeoutSeconds: row.timeout_seconds,
    cwd: row.cwd,
    env: row.env,
  });
  const job = {
    id: row.id as string,
    queue: row.queue as string,
    attempts: row.attempts as number,
    splitOutput: row.split_output === 1,
    ...read,
  };
  return malformed === undefined ? { job } : { job, malformed };
}

const taskOf = (row: Row): Task => claimedTaskOf(row).job;

export function jobOf(row: Row): Job {
  return {
    ...taskOf(row),
    priority: row.priority as number,
    maxRetries: row.max_retries as number,
    backoffBase: row.backoff_base as number | null,
    backoffStrategy: row.backoff_strategy as Job['backoffStrategy'],
    runAt: row.run_at as number | null,
    state: row.state as Job['state'],
    interruptions: row.interruptions as number,
    interruptionsInRow: row.interruptions_in_row as number,
    nextRunAt: row.next_run_at as number | null,
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    startedAt: row.started_at as number | null,
    finishedAt: row.finished_at as number | null,
    durationMs: row.duration_ms as number | null,
    exitCode: row.exit_code as number | null,
    signal: row.signal as string | null,
    lastError: row.last_error as string | null,
    lockedBy: row.locked_by as string | null,
    lockedAt: row.locked_at as number | null,
    cancelRequestedAt: row.cancel_requested_at as number | null,
    logPath: (row.log_path as string | null | undefined) || null,
  };
}

export function attemptOf(row: Row): Attempt {
  return {
    number: row.number as number,
    attempt: row.attempt as number,
    workerId: row.worker_id as string,
    host: row.host as string,
    pid: row.pid as number | null,
    pidStartedAt: row.pid_started_at as string | null,
    bootId: row.boot_id as string,
    startedAt: row.started_at as number,
    endedAt: row.ended_at as number | null,
    outcome: row.outcome as Attempt['outcome'],
    exitCode: row.exit_code as number | null,
    signal: row.signal as string | null,
    error: row.error as string | null,
    logPath: (row.log_path as string) || null,
    output: recordOf(row.output as string | null),
  };
}

/** What a worker registers with, in the order of `newWorkerValues`. */
export const NEW_WORKER_COLUMNS = [
  'id', 'host', 'pid', 'pid_started_at', 'boot_id', 'store_id', 'queues', 'concurrency', 'lease_ms', 'only_job',
] as const; // biome-ignore format: a list of words

export const newWorkerValues = (worker: NewWorker): Value[] => [
  worker.id,
  worker.host,
  worker.pid,
  worker.pidStartedAt,
  worker.bootId,
  worker.storeId,
  worker.queues === null ? null : JSON.stringify(worker.queues),
  worker.concurrency,
  worker.leaseMs,
  worker.onlyJob,
];

export const workerOf = (row: Row, running: readonly string[]): WorkerRecord => ({
  id: row.id as string,
  host: row.host as string,
  pid: row.pid as number,
  pidStartedAt: row.pid_started_at as string | null,
  bootId: row.boot_id as string,
  storeId: row.store_id as string,
  queues: row.queues === null ? null : JSON.parse(row.queues as string),
  concurrency: row.concurrency as number,
  leaseMs: row.lease_ms as number,
  onlyJob: row.only_job as string | null,
  condemnedAt: row.condemned_at as number | null,
  startedAt: row.started_at as number,
  lastHeartbeat: row.last_heartbeat as number,
  stopRequested: row.stop_requested as StopMode | null,
  notice: row.notice as string | null,
  running,
});

/** The files among what was removed. */
export const logPathsOf = (rows: readonly Row[]): string[] =>
  rows.map((row) => String(row.log_path)).filter((path) => path !== '');

/** What plan() asks of a job, under the names it knows. In quotes, or PostgreSQL would lower them. */
export const HELD_COLUMNS = `attempts, interruptions, interruptions_in_row AS "interruptionsInRow",
  max_retries AS "maxRetries", backoff_base AS "backoffBase", backoff_strategy AS "backoffStrategy",
  cancel_requested_at AS "cancelRequestedAt"`;

/** Literal list for SQL: the words are ours (states), never a user's. */
export const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
