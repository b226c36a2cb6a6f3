// Workers: heartbeats, stop requests, and requeuing the jobs of lost workers.

import type { Attempt, JobState } from '../../job/job.ts';
import type { RetryPolicy } from '../../job/lifecycle.ts';
import type { Lease } from './lease.ts';

export interface Workers {
  registerWorker(worker: NewWorker): Promise<void>;
  /** Records a heartbeat. Returns the worker's leases, or null if the worker was given up and has lost all of them. */
  renew(workerId: string, sign: SignOfLife): Promise<Lease[] | null>;
  workers(): Promise<WorkerRecord[]>;
  requestStop(workerIds: readonly string[], mode: StopMode): Promise<void>;
  runningOn(workerId: string): Promise<Running[]>;
  /**
   * Fences a worker off: from now on it cannot renew or report, and gets no jobs. Returns all attempts that it holds,
   * to be stopped before they are requeued. Returns null if there is no such worker, or if its heartbeat differs from
   * `seenHeartbeat`; undefined accepts any heartbeat. Repeated calls are harmless.
   */
  condemn(workerId: string, seenHeartbeat?: number): Promise<Running[] | null>;
  /** Requeues the jobs of a condemned worker and deletes the worker. Returns null if it is not condemned or is gone. */
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
  /** ID of the database. A copy of a queue contains the same workers, and must not affect them. */
  readonly storeId: string;
  /** Null for a worker that serves every queue. */
  readonly queues: readonly string[] | null;
  readonly concurrency: number;
  /** Time after a heartbeat during which no other worker may take its jobs. */
  readonly leaseMs: number;
  /** The only job that the worker runs; it serves no queue then. */
  readonly onlyJob: string | null;
  /**
   * Memory that its jobs may reserve together, if a flag sets it. Otherwise the setting applies, or the memory of the
   * host.
   */
  readonly memoryBudget?: number | null;
  /** Version of its program, such as 1.0.0+1a2b3c4. Null if the worker is older than the column. */
  readonly version: string | null;
}

export interface WorkerRecord extends NewWorker {
  readonly startedAt: number;
  readonly lastHeartbeat: number;
  readonly stopRequested: StopMode | null;
  /** When the worker was given up. Its jobs are being requeued. */
  readonly condemnedAt: number | null;
  readonly running: readonly string[];
  /** Problem that the worker reports about itself, or null. */
  readonly notice: string | null;
}

/** Data that a worker sends when it renews its lease. */
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
  /** Path of its log file, on its host. */
  readonly logPath: string | null;
  readonly state: JobState;
}
