// A job and its attempts. Times are milliseconds since the epoch; durations name their unit.

import type { Confinement } from './isolation/isolation.ts';
import type { Dependency, FailurePolicy } from './flow/dependencies.ts';
import type { Hooks } from './flow/hooks.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import type { OutputRecord } from './output/output.ts';
import type { IfExists, UniqueFor } from './flow/unique.ts';
import type { Usage } from './usage.ts';

/** Each comment names what moves a job out of the state. */
export const STATES = [
  'blocked', // its dependencies, when they finish
  'pending', // a worker, when the job is due
  'processing', // the worker that holds its lease, or a rescue after that worker is lost
  'failed', // a worker, after the backoff
  'completed', // finished; a user may retry it
  'dead', // finished: the dead letter queue; a user may retry it
  'cancelled', // finished; a user may retry it
] as const;

export type JobState = (typeof STATES)[number];

export const FINAL_STATES = ['completed', 'dead', 'cancelled'] as const satisfies readonly JobState[];
export const NON_FINAL_STATES = STATES.filter((state) => !(FINAL_STATES as readonly JobState[]).includes(state));
export const isFinal = (state: JobState): boolean => (FINAL_STATES as readonly JobState[]).includes(state);

/** Queue of a job that names none. */
export const DEFAULT_QUEUE = 'default';

export const STRATEGIES = ['exponential', 'linear', 'fixed'] as const;
export type BackoffStrategy = (typeof STRATEGIES)[number];

/** A string runs in the shell; a list runs directly. */
export type Command = string | readonly string[];

/** A validated job with all defaults, ready to be stored. */
export interface NewJob {
  readonly id: string;
  readonly command: Command;
  readonly queue: string;
  readonly priority: number;
  readonly maxRetries: number;
  readonly backoffBase: number | null;
  readonly backoffStrategy: BackoffStrategy | null;
  readonly timeoutSeconds: number | null;
  readonly runAt: number | null;
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Captures stdout and stderr separately, which loses the order between the two. */
  readonly splitOutput: boolean;
  /** Meaning of its exit codes; null for the default rules. */
  readonly outcomeRules: OutcomeRules | null;
  /** Resource limits, sandbox, user and secrets; null if the job is not isolated. */
  readonly confinement: Confinement | null;
  /** Standard input for every attempt. Only set while the job is being enqueued. */
  readonly stdin?: Uint8Array | null | undefined;
  /** Job name for users. If several jobs share it, the newest is meant. */
  readonly name: string | null;
  readonly group: string | null;
  /** Concurrency limit to set on its group; null leaves the group's limit unchanged. */
  readonly groupConcurrency: number | null;
  /** Hooks to set on its group; an empty object leaves the group's hooks unchanged. */
  readonly groupHooks: Hooks;
  /** Concurrency key: at most `keyConcurrency` jobs with this key (default one) run at once. */
  readonly key: string | null;
  readonly keyConcurrency: number | null;
  /** Number of worker slots the job takes; null for one. */
  readonly weight: number | null;
  /** Dependencies, by job ID or group name. */
  readonly dependsOn: readonly Dependency[];
  readonly onDependencyFailure: FailurePolicy;
  /** Schedule that created the job, and the time of the scheduled run. */
  readonly schedule: string | null;
  readonly scheduledAt: number | null;
  /** Hooks to run when the job finishes. */
  readonly hooks: Hooks;
  /** Set on hook jobs only: the job, or `group:NAME`, whose ending the hook reports. */
  readonly hookOf: string | null;
  /** Labels for filtering. */
  readonly tags: readonly string[];
  /** Unique key; null if the job is not unique. */
  readonly uniqueKey: string | null;
  /** How long the job keeps its unique key; null while it waits. */
  readonly uniqueFor: UniqueFor | null;
  /** Action if a job with the unique key exists; null for skip. */
  readonly ifExists: IfExists | null;
}

export interface Job extends Omit<NewJob, 'groupConcurrency' | 'groupHooks' | 'uniqueFor' | 'ifExists' | 'stdin'> {
  readonly state: JobState;
  /** Number of starts, without those cut short by a lost or stopped worker. */
  readonly attempts: number;
  /** Number of workers lost while running this job. */
  readonly interruptions: number;
  /** Interruptions since the last attempt that finished by itself. */
  readonly interruptionsInRow: number;
  /** Number of snoozes since the job was enqueued or manually retried. */
  readonly snoozes: number;
  /** Size of the standard input; null if it has none. */
  readonly stdinBytes: number | null;
  /** Reported progress, 0 to 100, with a note. */
  readonly progress: number | null;
  readonly progressNote: string | null;
  /** Reported result, as JSON text. */
  readonly result: string | null;
  readonly nextRunAt: number | null;
  /** Reason for a manual hold, or null. */
  readonly held: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lastError: string | null;
  /** Error fingerprint; equal for jobs that failed for the same reason. Null if the job did not fail. */
  readonly fingerprint: string | null;
  readonly lockedBy: string | null;
  readonly lockedAt: number | null;
  readonly cancelRequestedAt: number | null;
  /** Log file of the last attempt; null if the store holds the output or there is none. */
  readonly logPath: string | null;
  /** Resource usage of the last attempt; null if unknown. */
  readonly usage: Usage | null;
}

export const OUTCOMES = [
  'completed', // exit code 0, or another success code of the job
  'failed', // another exit code
  'snoozed', // the job's snooze exit code
  'signalled', // killed by a signal that the worker did not send
  'timeout', // stopped after timeout_seconds
  'limit', // stopped for exceeding a limit: memory, CPU time, processes, or file size
  'not_started', // program or directory not found, or the isolation is unavailable
  'malformed', // unreadable job record; nothing was started
  'rejected', // rejected by the policy or its recipe; nothing was started
  'cancelled', // stopped because a user cancelled the job
  'released', // stopped because the worker was stopped by force
  'worker_lost', // the worker was lost and its processes were stopped
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes with a meaningful run time: the command exited by itself or reached its timeout. */
export const TIMED_OUTCOMES: readonly Outcome[] = ['completed', 'failed', 'signalled', 'timeout'];

/** How an attempt ended, as its worker saw it. Input of plan(). */
export interface Ending {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** Delay that a snoozing job asks for; absent for the default. */
  readonly retryAfterSeconds?: number | null | undefined;
  /** Note about the attempt that does not make it a failure. */
  readonly remark?: string | null | undefined;
}

/** One start of a job's command. */
export interface Attempt {
  /** Counts every start, including lost ones, and never repeats. */
  readonly run: number;
  /** Number shown to users: the job's `attempts` at this start. Skips lost starts; a manual retry restarts at 1. */
  readonly number: number;
  readonly workerId: string;
  readonly host: string;
  readonly pid: number | null;
  readonly pidStartedAt: string | null;
  readonly bootId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: Outcome | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  /** Log file, which may not exist yet; null if the store holds the output or there is none. */
  readonly logPath: string | null;
  /** Resource usage, including child processes; null if unknown or still running. */
  readonly usage: Usage | null;
  /** Output metadata; null for attempts of versions that recorded none. */
  readonly output: OutputRecord | null;
}
