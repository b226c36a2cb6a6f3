// One turn of a worker: it reports started and ended attempts, then claims jobs.

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
   * Runs in one transaction. A report whose lease was lost changes nothing, as the result shows. All changes are on
   * disk when the promise resolves.
   */
  turn(turn: Turn): Promise<TurnResult>;
}

export interface Turn {
  readonly worker: WorkerIdentity;
  readonly started: readonly Started[];
  /** Progress reported by running jobs. Reports whose lease was lost are skipped. */
  readonly progress?: readonly ProgressReport[] | undefined;
  readonly ended: readonly EndReport[];
  /** Number of free slots. Each job takes as many as its weight. */
  readonly want: number;
  /** Total number of slots. Heavier jobs are left to other workers. Undefined means no limit. */
  readonly slots?: number | undefined;
  /** Memory that jobs may reserve. Undefined means no limit. */
  readonly memory?: TurnMemory | undefined;
  readonly queues: readonly string[] | null;
  /** Claims only this job. */
  readonly only?: string | undefined;
  readonly policy: RetryPolicy;
  readonly maxConcurrentJobs: number | null;
  /** Stored settings that the worker uses. Nothing is claimed if the limit across all workers has changed since. */
  readonly settings?: Stored | undefined;
  readonly logPath: (id: string, run: number) => string;
}

/** The parts of a turn that decide which jobs a worker claims. */
export type ClaimWish = Pick<Turn, 'want' | 'slots' | 'memory' | 'queues' | 'only' | 'maxConcurrentJobs'>;

export interface TurnMemory {
  readonly freeBytes: number;
  readonly bytes: number;
  /** Memory limit per job of these queues. Undefined if only the jobs' own limits apply. */
  readonly ofQueues?: Readonly<Record<string, number>> | undefined;
}

export interface TurnResult {
  readonly settled: readonly Settled[];
  readonly claimed: readonly Claimed[];
  /** Running jobs of this worker that a user has cancelled. */
  readonly cancelling: readonly Lease[];
  /** False if the worker was given up: it gets no jobs, and the jobs it runs are no longer its own. */
  readonly known: boolean;
  /** True if a newer version has migrated the database: the worker can report, but gets no more jobs. */
  readonly isOutdated: boolean;
  /** Null if no stop was requested. */
  readonly stopRequested: StopMode | null;
  /** When the next waiting job is due, or null. */
  readonly nextDueAt: number | null;
  /** When the next tick of a schedule is due, or null. See Schedules.due(). */
  readonly nextTickAt: number | null;
  /** True if another turn would find more to do at once. */
  readonly more: boolean;
  /** True if a finished job freed a slot under a limit, so that other workers may start more. */
  readonly makesRoom: boolean;
  /** True if outcomes are waiting for dependents. See Dependencies.advance(). */
  readonly hasEndings: boolean;
  readonly settings: Stored;
}

/** The fields needed to run a job. */
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
  /** Number of slots that the job takes. */
  readonly weight: number;
  /** Time from when the job could have started until now. */
  readonly waitedMs: number;
  /** Problem with the job's record; absent if the job can run. */
  readonly malformed?: string;
  /** Null if the job runs with the environment of its worker. */
  readonly environment: Variables | null;
  readonly logPath: string;
}

export interface Started extends Lease {
  readonly pid: number;
  readonly pidStartedAt: string | null;
}

export interface ProgressReport extends Lease, Progress {}

/** A worker's report of an ended attempt. */
export interface EndReport extends Lease {
  readonly ending: Ending;
  /** PID, if no start was reported. */
  readonly pid?: number | null | undefined;
  /** Resource usage, as far as known. */
  readonly usage?: Usage | null | undefined;
  readonly output?: OutputReport | undefined;
  /** The last progress that was not reported yet. */
  readonly progress?: Progress | null | undefined;
  /** JSON text. */
  readonly result?: string | null | undefined;
}

/** The response to the report of an ended attempt. */
export interface Settled extends Lease {
  /** The job's new state, or null if the lease was lost and nothing was written. */
  readonly state: JobState | null;
}
