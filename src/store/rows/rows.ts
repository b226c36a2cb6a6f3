// Conversions between table rows and jobs, shared by both stores, whose columns have the same names.

import type { Attempt, Job } from '../../job/job.ts';
import type { ClaimedJob } from '../../job/lifecycle.ts';
import { rulesOf } from '../../job/outcome-rules.ts';
import { DEFAULT_WEIGHT } from '../../job/flow/concurrency.ts';
import { recordOf } from '../../job/output/output.ts';
import { readTask } from '../../job/record.ts';
import { type Cell, inSnakeCase } from '../../job/fields/field.ts';
import { ENTRIES, FIELDS } from '../../job/fields/fields.ts';
import type { Claimed, NewWorker, WorkerRecord } from '../store.ts';
import { columnsFor } from './columns.ts';

export type Row = Record<string, unknown>;

/** Columns that a claim reads. They are few, because claims run for every job. */
export const TASK_COLUMNS =
  'id, command, is_argv, queue, attempts, timeout_seconds, cwd, env, split_output, environment_id, weight, ' +
  'group_name, scheduled_at, outcome_rules, stdin_bytes, confinement, created_at, hook_of';

/** Returns the number of worker slots that a job takes. */
export const weightOf = (row: Row): number => Number(row.weight ?? DEFAULT_WEIGHT);

/** Returns the claimed job, and the problem with its record if it cannot run. */
export function claimedTaskOf(row: Row): Pick<Claimed, 'job' | 'malformed'> {
  const { malformed, ...read } = readTask({
    command: row.command,
    isArgv: Boolean(row.is_argv),
    timeoutSeconds: row.timeout_seconds,
    cwd: row.cwd,
    env: row.env,
    confinement: row.confinement,
  });
  const job = {
    id: row.id as string,
    queue: row.queue as string,
    group: row.group_name as string | null,
    attempts: row.attempts as number,
    splitOutput: row.split_output === 1,
    outcomeRules: rulesOf(row.outcome_rules),
    stdinBytes: row.stdin_bytes as number | null,
    scheduledAt: row.scheduled_at as number | null,
    createdAt: row.created_at as number,
    hookOf: (row.hook_of ?? null) as string | null,
    ...read,
  };
  return malformed === undefined ? { job } : { job, malformed };
}

const STORED = ENTRIES.flatMap(([field, { stored }]) => {
  if (stored === undefined) return [];
  const column = inSnakeCase(field);
  return { field, read: stored.read ?? ((row: Row): unknown => row[column]) };
});
const FIELD_NAMES = STORED.map(({ field }) => field as string);
const READERS = STORED.map(({ read }) => read);

/** Copied for each job, because objects are created faster if all properties exist from the start. */
const EMPTY = Object.fromEntries(FIELD_NAMES.map((field) => [field, null]));

export function jobOf(row: Row): Job {
  const job: Record<string, unknown> = { ...EMPTY };
  for (let i = 0; i < FIELD_NAMES.length; i++) job[FIELD_NAMES[i] as string] = READERS[i]?.(row);
  return job as unknown as Job;
}

export function attemptOf(row: Row): Attempt {
  return {
    run: row.number as number, // the columns are older than these names
    number: row.attempt as number,
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
    usage: FIELDS.usage.stored.read(row),
    output: recordOf(row.output as string | null),
  };
}

type StoredWorker = Omit<WorkerRecord, 'queues' | 'running'> & { readonly queues: string | null };

const NEW_WORKER = [
  'id', 'host', 'pid', 'pidStartedAt', 'bootId', 'storeId', 'queues', 'concurrency', 'leaseMs', 'onlyJob', 'memoryBudget', 'version',
] as const satisfies (keyof NewWorker)[]; // biome-ignore format: a list of words
const NEW = columnsFor<Pick<StoredWorker, (typeof NEW_WORKER)[number]>>(...NEW_WORKER);
const WORKER = columnsFor<StoredWorker>(
  ...NEW_WORKER, 'startedAt', 'lastHeartbeat', 'stopRequested', 'condemnedAt', 'notice',
); // biome-ignore format: a list of words

/** Columns that a worker writes when it registers, in the order of `newWorkerValues`. */
export const NEW_WORKER_COLUMNS = NEW.names;

export const newWorkerValues = ({ queues, memoryBudget = null, ...worker }: NewWorker): Cell[] =>
  NEW.valuesOf({ ...worker, queues: queues && JSON.stringify(queues), memoryBudget });

export const workerOf = (row: Row, running: readonly string[]): WorkerRecord => {
  const worker = WORKER.recordOf(row);
  return { ...worker, queues: worker.queues === null ? null : JSON.parse(worker.queues), running };
};

/** Returns the log files of deleted attempts. */
export const logPathsOf = (rows: readonly Row[]): string[] =>
  rows.map((row) => String(row.log_path)).filter((path) => path !== '');

/**
 * Columns that plan() needs under the names of their fields, and the queue. Quoted, because PostgreSQL would convert
 * the names to lower case.
 */
export const HELD_COLUMNS = `queue, attempts, interruptions, interruptions_in_row AS "interruptionsInRow", snoozes,
  outcome_rules AS "outcomeRules", max_retries AS "maxRetries", backoff_base AS "backoffBase", backoff_strategy AS "backoffStrategy",
  cancel_requested_at AS "cancelRequestedAt"`;

/** A job whose attempt has ended. */
export interface HeldRow extends ClaimedJob {
  readonly queue: string;
}

/** Parses the outcome rules of a row of HELD_COLUMNS. */
export function heldOf<T extends HeldRow>(row: Row): T {
  row.outcomeRules = rulesOf(row.outcomeRules);
  return row as unknown as T;
}

/** Returns an SQL list of fixed words, such as states; never for user input. */
export const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** Other tables with rows of a job, by its seq. Deleting a job deletes them too. */
export const TABLES_OF_JOBS = ['outputs', 'dependencies', 'tags', 'stdins'] as const;

/** The tables whose rows are copied unchanged with a job. Its output and standard input are copied separately. */
export const COPIED_WITH_JOBS = ['dependencies', 'tags'] as const;

/** Tables that belong to the queue and are copied with it. */
export const TABLES_OF_QUEUE = ['groups', 'queue_limits', 'schedules', 'ticks', 'recipes'] as const;
