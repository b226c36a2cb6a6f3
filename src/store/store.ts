// The port: what every store does, in terms of jobs and workers, nothing about its engine. Each noun has its file in port/
// with its contracts, and under the same name in each engine its implementation; this is the door to all of them.
// All methods are asynchronous. A write either happened whole and durably when its promise resolves, or not at all.
// A lost lease is a return value, not an exception. Problems a user can act on are QueueErrors.

import type { Accounts } from './port/accounts.ts';
import type { ActivityLog } from './port/activity.ts';
import type { BulkChanges } from './port/bulk.ts';
import type { JobChanges } from './port/change.ts';
import type { Checks } from './port/check.ts';
import type { Copies } from './port/copy.ts';
import type { Dependencies } from './port/dependencies.ts';
import type { WaitingChanges } from './port/edit.ts';
import type { JobsIn } from './port/enqueue.ts';
import type { Environments } from './port/environments.ts';
import type { ErrorGroups } from './port/error-groups.ts';
import type { FigureSource } from './port/figures.ts';
import type { Groups } from './port/groups.ts';
import type { Holds } from './port/hold.ts';
import type { HookStore } from './port/hooks.ts';
import type { Idempotency } from './port/idempotency.ts';
import type { Imports } from './port/import.ts';
import type { JobLists } from './port/list.ts';
import type { Outputs } from './port/outputs.ts';
import type { Overviews } from './port/overview.ts';
import type { Pruning } from './port/prune.ts';
import type { JobsById } from './port/query.ts';
import type { Queues } from './port/queues.ts';
import type { BackoffRepairs } from './port/repair-backoffs.ts';
import type { Schedules } from './port/schedules.ts';
import type { SeriesStore } from './port/series.ts';
import type { Reruns } from './port/rerun.ts';
import type { StoredSettings } from './port/settings.ts';
import type { Stdins } from './port/stdins.ts';
import type { Texts } from './port/texts.ts';
import type { Turns } from './port/turn.ts';
import type { Wakes } from './port/wake.ts';
import type { Waits } from './port/waiting.ts';
import type { Words } from './port/words.ts';
import type { Workers } from './port/workers.ts';

export type { Accounts, FoundSession, Session, Token, User } from './port/accounts.ts';
export type { ActivityLog, ActivityEntry, RecordedActivity } from './port/activity.ts';
export type { ChangedSome } from './port/bulk.ts';
export type { Removed } from './port/change.ts';
export type { Cells, CopiedAttempt, CopiedJob, CopiedTables } from './port/copy.ts';
export type { Advanced, Dependencies, Link } from './port/dependencies.ts';
export type { Staging } from './port/enqueue.ts';
export type { Environments, Swept } from './port/environments.ts';
export type { ErrorGroup, ErrorStep } from './port/error-groups.ts';
export type { Figures, Spread } from './port/figures.ts';
export type { GroupedJob, GroupRecord, Groups, SweptGroups } from './port/groups.ts';
export type { Hold } from './port/hold.ts';
export type { HookStore } from './port/hooks.ts';
export type { Idempotency, KeyedRequest, KnownRequest } from './port/idempotency.ts';
export type { ColumnInfo } from './port/import.ts';
export type { Lease } from './port/lease.ts';
export {
  type CountedSome,
  type JobFilter,
  type JobPage,
  type ListQuery,
  type PageEnd,
  type PageQuery,
  SORTS,
  type Sort,
} from './port/list.ts';
export type { OutputReport, LeftOut, OutputPiece, Outputs } from './port/outputs.ts';
export type { Overview, QueueCounts } from './port/overview.ts';
export type { PruneQuery } from './port/prune.ts';
export type { QueueChange, QueueLimit, Queues } from './port/queues.ts';
export type { ScheduleChange, Schedules, TickDecision } from './port/schedules.ts';
export type { SeriesStore } from './port/series.ts';
export type { NamedText, NamedTexts, Texts } from './port/texts.ts';
export type {
  Claimed,
  Committed,
  EndReport,
  ProgressReport,
  Settled,
  Started,
  Task,
  Turn,
  ClaimWish,
  TurnMemory,
  TurnResult,
} from './port/turn.ts';
export {
  COUNT_AT_MOST,
  type Gate,
  type Line,
  type Lingering,
  type Rechecked,
  type RecheckedSizes,
  type StoredWait,
  type WaitCounts,
  type Waits,
} from './port/waiting.ts';
export type { Words } from './port/words.ts';
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
    WaitingChanges,
    BulkChanges,
    ErrorGroups,
    Pruning,
    Holds,
    Copies,
    Imports,
    StoredSettings,
    Workers,
    Stdins,
    Turns,
    BackoffRepairs,
    Reruns,
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
  /** Whether a program of this user with these variables, told the place without its password, could not find that. */
  readonly lacksPassword: (environment: Readonly<Record<string, string | undefined>>) => boolean;
  readonly outputs: Outputs;
  readonly environments: Environments;
  readonly schedules: Schedules;
  readonly series: SeriesStore;
  readonly dependencies: Dependencies;
  readonly groups: Groups;
  readonly waits: Waits;
  readonly words: Words;
  readonly queues: Queues;
  readonly hooks: HookStore;
  readonly accounts: Accounts;
  readonly activity: ActivityLog;
  readonly idempotency: Idempotency;
  readonly texts: Texts;
  /** The clock by which jobs become due. */
  now(): number;
  close(): Promise<void>;
  /** For a process that is about to exit: does only what would otherwise cost the next one more. */
  leave(): Promise<void>;
}
