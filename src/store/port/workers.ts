// Workers: their signs of life, the wish that they stop, and taking back what a dead one held.

import type { Attempt, JobState } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { Lease } from './lease.ts';

export interface Workers {
  registerWorker(worker: NewWorker): Promise<void>;
  /** A sign of life. null: this worker was given up, and all its leases with it. Else the leases it holds. */
  renew(workerId: string, sign: SignOfLife): Promise<Lease[] | null>;
  workers(): Promise<WorkerRecord[]>;
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void>;
  runningOn(workerId: string): Promise<Running[]>;
  /**
   * The fence: from now on the worker may neither renew nor report, and is handed nothing. Returns all that it holds and
   * will ever hold, to be ended before it is taken back. null: there is no such worker, or it has given a sign of life
   * since the one that was seen; without one to compare with any will do. Condemning twice does no harm.
   */
  condemn(workerId: string, seenHeartbeat?: number): Promise<Running[] | null>;
  /** Takes back what a condemned worker holds, and forgets the worker. null: it is not condemned, or is gone already. */
  rescue(workerId: string, policy: RetryPolicy): Promise<Rescued[] | null>;
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
  /** The memory that its jobs may reserve together, if a flag said it; else the setting holds, or its machine's. */
  readonly memoryBudget?: number | null;
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
  readonly run: number;
  /** Where its log would be, on its host. */
  readonly logPath: string | null;
  readonly state: JobState;
}
