// One turn of a worker's loop: it reports what started and ended, then takes what fits.

import type { Variables } from '../../job/environment/environment.ts';
import type { Ending, Job, JobState } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { Progress } from '../../job/output/progress.ts';
import type { Usage } from '../../job/usage.ts';
import type { Stored } from '../../settings/settings.ts';
import type { Lease } from './lease.ts';
import type { OutputReport } from './outputs.ts';
import type { StopMode, WorkerIdentity } from './workers.ts';

export interface Turns {
  /**
   * One transaction. A report whose lease is lost changes nothing, and the answer says so. What it changed is on disk when
   * the promise resolves. `committed` is called before that, as soon as everybody sees the change: a job that was claimed may
   * be started then, because a power cut that undoes its claim ends the job as well.
   */
  turn(turn: Turn, committed?: Committed): Promise<TurnResult>;
}

export type Committed = (result: TurnResult) => Promise<void>;

export interface Turn {
  readonly worker: WorkerIdentity;
  readonly started: readonly Started[];
  /** What running jobs said of themselves; if the lease is lost it is silently left out. */
  readonly progress?: readonly ProgressReport[] | undefined;
  readonly ended: readonly EndReport[];
  /** How many slots are free: jobs to claim at the most, each of them counted by its weight. */
  readonly want: number;
  /** All slots the worker has: what is heavier than that is left to others. undefined: nothing is too heavy. */
  readonly slots?: number | undefined;
  /** What running jobs leave of the memory that jobs may reserve, and all of it. undefined: there is enough for any. */
  readonly memory?: TurnMemory | undefined;
  readonly queues: readonly string[] | null;
  /** Claim only this job. */
  readonly only?: string | undefined;
  readonly policy: RetryPolicy;
  readonly maxConcurrentJobs: number | null;
  /** The stored settings that it goes by: if the limit over all workers has changed since, nothing is claimed. */
  readonly settings?: Stored | undefined;
  readonly logPath: (id: string, run: number) => string;
}

/** What decides which jobs a worker claims. */
export type ClaimWish = Pick<Turn, 'want' | 'slots' | 'memory' | 'queues' | 'only' | 'maxConcurrentJobs'>;

export interface TurnMemory {
  readonly freeBytes: number;
  readonly bytes: number;
  /** What is reserved for each job of these queues, unless it needs less; undefined: only what jobs say themselves. */
  readonly ofQueues?: Readonly<Record<string, number>> | undefined;
}

export interface TurnResult {
  readonly settled: readonly Settled[];
  readonly claimed: readonly Claimed[];
  /** Jobs this worker runs that a person wants ended. */
  readonly cancelling: readonly Lease[];
  /** false: this worker was given up; it was handed nothing, and what it ran is no longer its own. */
  readonly known: boolean;
  /** A newer program has changed the store: what runs may be reported, but nothing is handed out any more. */
  readonly isOutdated: boolean;
  /** null: nobody asked. */
  readonly stopRequested: StopMode | null;
  /** When the next waiting job becomes due, or null. */
  readonly nextDueAt: number | null;
  /** When the next tick of a schedule is due, or null: see Schedules.due(). */
  readonly nextTickAt: number | null;
  /** Whether another turn would find more to do at once. */
  readonly more: boolean;
  /** Whether an end has made room under a limit, so that others may start more. */
  readonly makesRoom: boolean;
  /** Whether jobs wait to be told that others have ended: see Dependencies.advance(). */
  readonly hasEndings: boolean;
  readonly settings: Stored;
}

/** What it takes to run a job. */
export type Task = Pick<
  Job,
  | 'id'
  | 'command'
  | 'queue'
  | 'group'
  | 'attempts'
  | 'timeoutSeconds'
  | 'cwd'
  | 'env'
  | 'splitOutput'
  | 'outcomeRules'
  | 'confinement'
  | 'stdinBytes'
  | 'scheduledAt'
  | 'createdAt'
  | 'hookOf'
>;

export interface Claimed extends Lease {
  readonly job: Task;
  /** How many slots it takes. */
  readonly weight: number;
  /** From when it could have started until now. */
  readonly waitedMs: number;
  /** Why it cannot be run: what is wrong with its record. Absent: nothing is. */
  readonly malformed?: string;
  /** null: it runs with that of its worker. */
  readonly environment: Variables | null;
  readonly logPath: string;
}

export interface Started extends Lease {
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

export interface ProgressReport extends Lease, Progress {}

/** What a worker reports of an attempt that has ended. */
export interface EndReport extends Lease {
  readonly ending: Ending;
  /** For the record, when its start was not worth a report of its own. */
  readonly pid?: number | null | undefined;
  /** What it used, as far as that is known. */
  readonly usage?: Usage | null | undefined;
  /** What is to be recorded of its output. */
  readonly output?: OutputReport | undefined;
  /** What it said last, unless that was reported. */
  readonly progress?: Progress | null | undefined;
  /** A JSON text. */
  readonly result?: string | null | undefined;
}

/** The answer to the report of an end. */
export interface Settled extends Lease {
  /** The job's new state, or null: the lease was lost and nothing was written. */
  readonly state: JobState | null;
}
