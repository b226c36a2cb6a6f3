// The port: what every store does, in terms of jobs and workers, nothing about its engine.
// All methods are asynchronous. A write either happened whole and durably when its promise resolves, or not at all.
// A lost lease is a return value, not an exception. Problems a user can act on are QueueErrors.

import type { NewEnvironment, Variables } from '../job/environment.ts';
import type { Attempt, Ending, Job, JobState, NewJob } from '../job/job.ts';
import type { RetryPolicy } from '../job/lifecycle.ts';
import type { SettingValue, Stored } from '../settings/settings.ts';
import type { Environments } from './environments.ts';
import type { Figures } from './figures.ts';
import type { CopiedJob, Hold } from './moving.ts';
import type { EndedOutput, Outputs } from './outputs.ts';

export type { Figures, Spread } from './figures.ts';
export type { Cells, CopiedAttempt, CopiedJob, Hold } from './moving.ts';
export type { EndedOutput, LeftOut, OutputPiece, Outputs } from './outputs.ts';

/** The right to run one attempt of one job. Every write about the attempt names it; it is never handed out twice. */
export interface Lease {
  readonly seq: number;
  readonly number: number;
}

/** What it takes to run a job. */
export type Task = Pick<
  Job,
  'id' | 'command' | 'queue' | 'attempts' | 'timeoutSeconds' | 'cwd' | 'env' | 'splitOutput'
>;

export interface Claimed extends Lease {
  readonly job: Task;
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

export interface Ended extends Lease {
  readonly ending: Ending;
  /** For the record, when its start was not worth a report of its own. */
  readonly pid?: number | null | undefined;
  /** What is to be recorded of its output. */
  readonly output?: EndedOutput | undefined;
}

export interface Settled extends Lease {
  /** What became of the job, or null: the lease was lost and nothing was written. */
  readonly state: JobState | null;
}

export type StopMode = 'graceful' | 'force';

export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly pidStartedAt: string | null;
  readonly bootId: string;
}

export interface NewWorker extends WorkerIdentity {
  /** The database it works on: a copy of a queue has the same workers in it, and no business with them. */
  readonly storeId: string;
  /** null serves every queue. */
  readonly queues: readonly string[] | null;
  readonly concurrency: number;
  /** For how long after a sign of life nobody else may take its jobs. */
  readonly leaseMs: number;
  /** It runs just this job, and serves no queue. */
  readonly onlyJob: string | null;
}

export interface WorkerRecord extends NewWorker {
  readonly startedAt: number;
  readonly lastHeartbeat: number;
  readonly stopRequested: StopMode | null;
  /** Since when it has been given up: it may renew and report nothing, and its jobs are being taken back. */
  readonly condemnedAt: number | null;
  readonly running: readonly string[];
  /** What the worker says is wrong with it, or null. */
  readonly notice: string | null;
}

/** One turn of a worker's loop: report, then take what fits. */
export interface Turn {
  readonly worker: WorkerIdentity;
  readonly started: readonly Started[];
  readonly ended: readonly Ended[];
  /** How many jobs to claim at the most. */
  readonly want: number;
  readonly queues: readonly string[] | null;
  /** Claim only this job. */
  readonly only?: string | undefined;
  readonly policy: RetryPolicy;
  readonly maxConcurrentJobs: number | null;
  readonly logPath: (id: string, number: number) => string;
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
  /** Whether another turn would find more to do at once. */
  readonly more: boolean;
  readonly settings: Stored;
}

/** What a worker says when it renews its lease. */
export interface SignOfLife {
  readonly notice: string | null;
  readonly leaseMs: number;
}

export interface Running extends Attempt {
  readonly seq: number;
  readonly jobId: string;
}

export interface Rescued {
  readonly jobId: string;
  readonly number: number;
  /** Where its log would be, on its host. */
  readonly logPath: string | null;
  readonly state: JobState;
}

export const SORTS = [
  'created', 'updated', 'priority', 'next_run', 'finished', 'duration', 'attempts',
] as const; // biome-ignore format: a list of words
export type Sort = (typeof SORTS)[number];

export interface JobFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly queue?: string | undefined;
  readonly search?: string | undefined;
}

export interface ListQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  /** null: all of them. */
  readonly limit: number | null;
}

export interface QueueCounts {
  readonly queue: string;
  readonly counts: Readonly<Record<JobState, number>>;
  readonly oldestPendingAt: number | null;
}

export interface Overview {
  readonly queues: readonly QueueCounts[];
  readonly nextRetryAt: number | null;
  readonly nextDueAt: number | null;
}

/** Which finished jobs to remove: those older than a time, or all but the newest few of each state. */
export interface PruneQuery {
  readonly states: readonly JobState[];
  readonly queue?: string | undefined;
  readonly finishedBefore?: number | undefined;
  readonly keep?: number | undefined;
}

export interface Removed {
  readonly jobs: number;
  readonly logPaths: readonly string[];
}

/** Jobs on their way in, invisible until commit(). Adding to it holds no lock. */
export interface Staging {
  add(jobs: readonly NewJob[]): Promise<void>;
  /** All of them or none. Answers how many. */
  commit(): Promise<number>;
  discard(): Promise<void>;
}

export interface Store {
  /** The place as a user would name it, without its password. */
  readonly name: string;
  /** Tells this database from every other one that can be reached from this host, copies of it included. */
  readonly id: string;
  /**
   * Whether workers of several hosts share this store. Then a worker that cannot reach it ends its jobs before its
   * lease does; on one host the others can see that it lives, and its jobs go on. And output is copied to the store,
   * where every host can read it.
   */
  readonly spansHosts: boolean;
  readonly outputs: Outputs;
  readonly environments: Environments;
  /** The clock by which jobs become due. */
  now(): number;
  close(): Promise<void>;
  /** For a process that is about to exit: does only what would otherwise cost the next one more. */
  leave(): Promise<void>;

  // Jobs in
  /** All or none; a taken id is the error job_exists. The environment is that of all of them. */
  enqueue(jobs: readonly NewJob[], environment?: NewEnvironment | null): Promise<Job[]>;
  stage(environment?: NewEnvironment | null): Promise<Staging>;

  // Jobs looked at
  /** The job with this id, or the only one whose id starts with it; else job_not_found or ambiguous_id. */
  find(idOrPrefix: string): Promise<Job>;
  get(id: string): Promise<Job | null>;
  list(query: ListQuery): Promise<Job[]>;
  /** The ids that list() would answer, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]>;
  /** In the order of the ids; those that are gone or do not match (any more) are left out. */
  getAll(ids: readonly string[], filter: JobFilter): Promise<Job[]>;
  history(id: string): Promise<Attempt[]>;
  overview(): Promise<Overview>;
  figures(): Promise<Figures>;

  // Jobs changed by a person: all of the given ids or none; a job in another state is the error wrong_state
  retry(ids: readonly string[], states: readonly JobState[]): Promise<Job[]>;
  retryAll(filter: JobFilter): Promise<number>;
  /** Waiting jobs are cancelled at once; for running ones the wish is recorded, and their worker ends them. */
  cancel(ids: readonly string[]): Promise<Job[]>;
  /** Refuses a running job. */
  remove(ids: readonly string[]): Promise<Removed>;
  /** How many jobs prune() would remove. */
  prunable(query: PruneQuery): Promise<number>;
  /** At most `limit` jobs a call, so that nobody is locked out for long. */
  prune(query: PruneQuery, limit: number): Promise<Removed>;
  /** Forgets every job, attempt and worker; the settings stay. */
  reset(): Promise<Removed>;

  // Jobs from one store to another
  /** Keeps workers from registering, which is the error queue_moving; so is a second hold. Those there are stay. */
  hold(): Promise<Hold>;
  /** Whole jobs as they stand, in the order they came in: those behind `afterSeq`. What they wrote is not with them. */
  copyOut(afterSeq: number, limit: number): Promise<CopiedJob[]>;
  /** All or none, each as it is and in its own place; new jobs come behind them. A taken id or seq is job_exists. */
  copyIn(jobs: readonly CopiedJob[]): Promise<void>;

  // Settings
  settings(): Promise<Stored>;
  /** undefined removes the stored value. */
  saveSetting(key: string, value: SettingValue | undefined): Promise<void>;

  // Workers
  registerWorker(worker: NewWorker): Promise<void>;
  /** A sign of life. null: this worker was given up, and all its leases with it. Else the leases it holds. */
  renew(workerId: string, sign: SignOfLife): Promise<Lease[] | null>;
  workers(): Promise<WorkerRecord[]>;
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void>;
  runningOn(workerId: string): Promise<Running[]>;
  /**
   * The fence: from now on the worker may neither renew nor report, and is handed nothing. Answers all that it holds and
   * will ever hold, to be ended before it is taken back. null: there is no such worker, or it has given a sign of life
   * since the one that was seen; without one to compare with any will do. Condemning twice does no harm.
   */
  condemn(workerId: string, seenHeartbeat?: number): Promise<Running[] | null>;
  /** Takes back what a condemned worker holds, and forgets the worker. null: it is not condemned, or is gone already. */
  rescue(workerId: string, policy: RetryPolicy): Promise<Rescued[] | null>;
  /**
   * Failed jobs whose last attempt ended in the future, by a clock that was set back since: their delay counts from
   * now. Answers how many there were.
   */
  mendBackoffs(): Promise<number>;
  turn(turn: Turn): Promise<TurnResult>;

  // Waking: a hint that may be lost
  onWake(listener: () => void): () => void;

  /** What is wrong with the store itself, a sentence each. */
  check(): Promise<string[]>;
}
