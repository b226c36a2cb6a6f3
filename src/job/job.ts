// What a job is, and one attempt to run it. Times are milliseconds since the epoch, durations say their unit.

import type { Confinement } from './isolation/isolation.ts';
import type { Dependency, FailurePolicy } from './flow/dependencies.ts';
import type { Hooks } from './flow/hooks.ts';
import type { OutcomeRules } from './outcome-rules.ts';
import type { OutputRecord } from './output/output.ts';
import type { IfExists, UniqueFor } from './flow/unique.ts';
import type { Usage } from './usage.ts';

/** Each state's comment says who moves a job out of it. */
export const STATES = [
  'blocked', // the job it waits for, by ending
  'pending', // a worker, once it is due
  'processing', // the worker that holds its lease, or the rescuer of that worker
  'failed', // a worker, when its backoff is over
  'completed', // final; a person may retry it
  'dead', // final: the dead letter queue; a person may retry it
  'cancelled', // final; a person may retry it
] as const;

export type JobState = (typeof STATES)[number];

export const FINAL_STATES = ['completed', 'dead', 'cancelled'] as const satisfies readonly JobState[];
export const NON_FINAL_STATES = STATES.filter(
  (state) => !(FINAL_STATES as readonly JobState[]).includes(state),
);
export const isFinal = (state: JobState): boolean => (FINAL_STATES as readonly JobState[]).includes(state);

/** The queue of a job that names none. */
export const DEFAULT_QUEUE = 'default';

export const STRATEGIES = ['exponential', 'linear', 'fixed'] as const;
export type BackoffStrategy = (typeof STRATEGIES)[number];

/** A string runs in the shell; a list runs as it is. */
export type Command = string | readonly string[];

/** A job as it is handed to the store: checked, with every default filled in. */
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
  /** Keep stdout and stderr apart. The order in which it wrote to the two is lost then. */
  readonly splitOutput: boolean;
  /** What its exit codes mean; null: the usual. */
  readonly outcomeRules: OutcomeRules | null;
  /** What it may use and touch; null: whatever its worker may. */
  readonly confinement: Confinement | null;
  /** What it has to read at every attempt: only on its way in. */
  readonly stdin?: Uint8Array | null | undefined;
  /** What people call it; several jobs may have the same name, and the newest is meant. */
  readonly name: string | null;
  readonly group: string | null;
  /** How many of its group may run at once, which is kept with the group. null: as it was. */
  readonly groupConcurrency: number | null;
  /** What the end of its whole group calls for, which is kept with the group. None: as it was. */
  readonly groupHooks: Hooks;
  /** Only so many jobs with the same key run at once: `keyConcurrency` of them, or one. */
  readonly key: string | null;
  readonly keyConcurrency: number | null;
  /** How many slots of a worker it takes; null: one. */
  readonly weight: number | null;
  /** What it waits for, by ids and names of groups. */
  readonly dependsOn: readonly Dependency[];
  readonly onDependencyFailure: FailurePolicy;
  /** The schedule that made it, and the time that its tick is for. */
  readonly schedule: string | null;
  readonly scheduledAt: number | null;
  /** What its end calls for. */
  readonly hooks: Hooks;
  /** The job, or `group:NAME`, whose end this job reports: it is a hook itself, and has none. null: it is not. */
  readonly hookOf: string | null;
  /** Words by which people find it. */
  readonly tags: readonly string[];
  /** It wants to be the only job with this key; null: it does not care. */
  readonly uniqueKey: string | null;
  /** How long a unique job keeps out others with its key; null: while it waits. */
  readonly uniqueFor: UniqueFor | null;
  /** What to do when there is one; null: skip. */
  readonly ifExists: IfExists | null;
}

export interface Job
  extends Omit<NewJob, 'groupConcurrency' | 'groupHooks' | 'uniqueFor' | 'ifExists' | 'stdin'> {
  readonly state: JobState;
  /** How often the command was started, without the starts that a lost or stopped worker cut short. */
  readonly attempts: number;
  /** How often a worker was lost while running it. */
  readonly interruptions: number;
  /** The same, counted from the last attempt that came to an end of its own. */
  readonly interruptionsInRow: number;
  /** How often it asked to be run again later, since it was enqueued or retried by hand. */
  readonly snoozes: number;
  /** How much there is for it to read; null: it has no standard input of its own. */
  readonly stdinBytes: number | null;
  /** How far it says it is, 0 to 100, and what it is at. */
  readonly progress: number | null;
  readonly progressNote: string | null;
  /** What it hands on, a JSON text. */
  readonly result: string | null;
  readonly nextRunAt: number | null;
  /** Why a person holds it back, or null. */
  readonly held: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lastError: string | null;
  /** What kind of failure that was: the same for all that failed for the same reason. null: it did not fail. */
  readonly fingerprint: string | null;
  readonly lockedBy: string | null;
  readonly lockedAt: number | null;
  readonly cancelRequestedAt: number | null;
  /** The log file of the last attempt, or null: the store has its output, or there is none. */
  readonly logPath: string | null;
  /** What its last attempt used; null: unknown. */
  readonly usage: Usage | null;
}

export const OUTCOMES = [
  'completed', // exit code 0, or another that the job counts as success
  'failed', // another exit code
  'snoozed', // the exit code by which it asks to be run again later
  'signalled', // killed by a signal that was not ours
  'timeout', // ended by us after timeout_seconds
  'limit', // ended for using more than it may: memory, CPU time, processes, the size of a file
  'not_started', // no such program, no such folder, no way to confine it as asked
  'malformed', // its record cannot be read, so nothing was started
  'refused', // it may not run here, by the policy or by its recipe, so nothing was started
  'cancelled', // ended by us because a person said so
  'released', // ended by us because the worker was stopped by force
  'worker_lost', // the worker died; what it ran was ended
] as const;

/** How an attempt ended, in a word. */
export type Outcome = (typeof OUTCOMES)[number];

/** How an attempt ended, as its worker saw it: what plan() decides by. */
export interface Ending {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** When a job that asks to be run again later wants that; absent: it did not say. */
  readonly retryAfterSeconds?: number | null | undefined;
  /** A remark on the attempt that does not make it a failure. */
  readonly remark?: string | null | undefined;
}

/** One start of a job's command. */
export interface Attempt {
  /** Counts every start of the job, lost ones included, and never repeats. */
  readonly run: number;
  /** The number people see: `attempts` of the job at this start. Lost starts are not counted, and a retry by hand starts at 1 again. */
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
  /** Where its log is, or will be; null: the store has its output, or there is none. */
  readonly logPath: string | null;
  /** What it and the processes it started used, as far as the system told; null: unknown, or it runs. */
  readonly usage: Usage | null;
  /** What is known of its output; null: from a version that recorded nothing of it. */
  readonly output: OutputRecord | null;
}
