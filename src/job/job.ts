// What a job is, and one attempt to run it. Times are milliseconds since the epoch, durations say their unit.

import type { OutputRecord } from './output.ts';

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
}

export interface Job extends NewJob {
  readonly state: JobState;
  /** How often the command was started, without the starts that a lost or stopped worker cut short. */
  readonly attempts: number;
  /** How often a worker was lost while running it. */
  readonly interruptions: number;
  /** The same, counted from the last attempt that came to an end of its own. */
  readonly interruptionsInRow: number;
  readonly nextRunAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lastError: string | null;
  readonly lockedBy: string | null;
  readonly lockedAt: number | null;
  readonly cancelRequestedAt: number | null;
  /** The log file of the last attempt, or null: the store has its output, or there is none. */
  readonly logPath: string | null;
}

export const OUTCOMES = [
  'completed', // exit code 0
  'failed', // another exit code
  'signalled', // killed by a signal that was not ours
  'timeout', // ended by us after timeout_seconds
  'not_started', // no such program, no such folder
  'malformed', // its record cannot be read, so nothing was started
  'cancelled', // ended by us because a person said so
  'released', // ended by us because the worker was stopped by force
  'worker_lost', // the worker died; what it ran was ended
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** How an attempt came to its end, as the process layer saw it. */
export interface Ending {
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** One start of a job's command. `number` counts every start, lost ones included, and never repeats. */
export interface Attempt {
  readonly number: number;
  /** What `attempts` of the job was at this start: counted from the last retry by hand, lost starts left out. */
  readonly attempt: number;
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
  /** What is known of its output; null: from a version that recorded nothing of it. */
  readonly output: OutputRecord | null;
}
