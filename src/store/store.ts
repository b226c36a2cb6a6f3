// The port: what every store does, in terms of jobs and workers, independent of its engine. port/ has one interface for
// each noun. All methods are asynchronous. A write has happened completely and durably when its promise resolves, or
// not at all. A lost lease is a return value, not an exception. Errors that a user can act on are QueueErrors.

import type { Accounts } from './port/accounts.ts';
import type { ActivityLog } from './port/activity.ts';
import type { JobChanges } from './port/change.ts';
import type { Checks } from './port/check.ts';
import type { Copies } from './port/copy.ts';
import type { Dependencies } from './port/dependencies.ts';
import type { JobsIn } from './port/enqueue.ts';
import type { Environments } from './port/environments.ts';
import type { ErrorGroups } from './port/error-groups.ts';
import type { FigureSource } from './port/figures.ts';
import type { Groups } from './port/groups.ts';
import type { HookStore } from './port/hooks.ts';
import type { Idempotency } from './port/idempotency.ts';
import type { Imports } from './port/import.ts';
import type { JobLists } from './port/list.ts';
import type { Outputs } from './port/outputs.ts';
import type { Overviews } from './port/overview.ts';
import type { Pruning } from './port/prune.ts';
import type { JobsById } from './port/query.ts';
import type { Queues } from './port/queues.ts';
import type { Schedules } from './port/schedules.ts';
import type { SeriesStore } from './port/series.ts';
import type { StoredSettings } from './port/settings.ts';
import type { Texts } from './port/texts.ts';
import type { Turns } from './port/turn.ts';
import type { Wakes } from './port/wake.ts';
import type { Waits } from './port/waiting.ts';
import type { Words } from './port/words.ts';
import type { Workers } from './port/workers.ts';

export type * from './port/accounts.ts';
export type * from './port/activity.ts';
export type * from './port/change.ts';
export type * from './port/copy.ts';
export type * from './port/dependencies.ts';
export type * from './port/enqueue.ts';
export type * from './port/environments.ts';
export type * from './port/error-groups.ts';
export type * from './port/figures.ts';
export type * from './port/groups.ts';
export type * from './port/hooks.ts';
export type * from './port/idempotency.ts';
export type * from './port/import.ts';
export type * from './port/lease.ts';
export type * from './port/list.ts';
export type * from './port/outputs.ts';
export type * from './port/overview.ts';
export type * from './port/prune.ts';
export type * from './port/queues.ts';
export type * from './port/schedules.ts';
export type * from './port/series.ts';
export type * from './port/texts.ts';
export type * from './port/turn.ts';
export type * from './port/waiting.ts';
export type * from './port/words.ts';
export type * from './port/workers.ts';
export { SORTS } from './port/list.ts';
export { COUNT_AT_MOST } from './port/waiting.ts';

export interface Store
  extends JobsIn,
    JobsById,
    JobLists,
    Overviews,
    FigureSource,
    JobChanges,
    ErrorGroups,
    Pruning,
    Checks,
    Copies,
    Imports,
    StoredSettings,
    Workers,
    Turns,
    Wakes {
  /** Location for display, without a password. */
  readonly name: string;
  /** Distinguishes this database from every other one that this host can reach, including copies. */
  readonly id: string;
  /**
   * True if workers on several hosts share this store. A worker that cannot reach the store then stops its jobs before
   * its lease expires; on one host, other workers can see that it is alive, and its jobs continue. Output is copied to
   * the store, where every host can read it.
   */
  readonly spansHosts: boolean;
  /** True if a program with these variables could not find the password when it is given the location without it. */
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
  /** The clock that decides when jobs are due. */
  now(): number;
  close(): Promise<void>;
  /** For a process that is about to exit. Skips cleanup unless it would cost the next process more. */
  leave(): Promise<void>;
}
