// The port: what every store does, in terms of jobs and workers, nothing about its engine. Each noun has its file in port/
// with its contracts, and under the same name in each engine its implementation; this is the door to all of them.
// All methods are asynchronous. A write either happened whole and durably when its promise resolves, or not at all.
// A lost lease is a return value, not an exception. Problems a user can act on are QueueErrors.

import type { JobChanges } from './port/change.ts';
import type { Checks } from './port/check.ts';
import type { Copies } from './port/copy.ts';
import type { JobsIn } from './port/enqueue.ts';
import type { Environments } from './port/environments.ts';
import type { FigureSource } from './port/figures.ts';
import type { Holds } from './port/hold.ts';
import type { JobLists } from './port/list.ts';
import type { Outputs } from './port/outputs.ts';
import type { Overviews } from './port/overview.ts';
import type { Pruning } from './port/prune.ts';
import type { JobsById } from './port/query.ts';
import type { BackoffRepairs } from './port/repair-backoffs.ts';
import type { StoredSettings } from './port/settings.ts';
import type { Turns } from './port/turn.ts';
import type { Wakes } from './port/wake.ts';
import type { Workers } from './port/workers.ts';

export type { Removed } from './port/change.ts';
export type { Cells, CopiedAttempt, CopiedJob } from './port/copy.ts';
export type { Staging } from './port/enqueue.ts';
export type { Environments, Swept } from './port/environments.ts';
export type { Figures, Spread } from './port/figures.ts';
export type { Hold } from './port/hold.ts';
export type { Lease } from './port/lease.ts';
export { type JobFilter, type ListQuery, SORTS, type Sort } from './port/list.ts';
export type { EndedOutput, LeftOut, OutputPiece, Outputs } from './port/outputs.ts';
export type { Overview, QueueCounts } from './port/overview.ts';
export type { PruneQuery } from './port/prune.ts';
export type { Claimed, Ended, Settled, Started, Task, Turn, TurnResult } from './port/turn.ts';
export type {
  NewWorker,
  Rescued,
  Running,
  SignOfLife,
  StopMode,
  WorkerIdentity,
  WorkerRecord,
} from './port/workers.ts';

export interface Store
  extends JobsIn,
    JobsById,
    JobLists,
    Overviews,
    FigureSource,
    JobChanges,
    Pruning,
    Holds,
    Copies,
    StoredSettings,
    Workers,
    Turns,
    BackoffRepairs,
    Wakes,
    Checks {
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
}
