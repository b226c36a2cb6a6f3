// Schedules, and what became of their ticks.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { SkippedTick } from '../../schedule/plan-ticks.ts';
import type { NewSchedule, Schedule, Tick } from '../../schedule/schedule.ts';

export interface Schedules {
  /** All or none; a taken name is schedule_exists. Their jobs run with this environment. */
  add(schedules: readonly NewSchedule[], environment: NewEnvironment | null): Promise<Schedule[]>;
  get(name: string): Promise<Schedule | null>;
  /** By name. */
  all(): Promise<Schedule[]>;
  /** By name, so many behind this one. */
  page(afterName: string, limit: number): Promise<Schedule[]>;
  /** Those whose next tick is due, the longest due first, but for those named. Costs the same whatever the number of schedules. */
  due(limit: number, except?: readonly string[]): Promise<Schedule[]>;
  /** Ids of jobs of this schedule that have not ended, the oldest first. */
  unfinishedJobs(name: string, limit: number): Promise<string[]>;
  /** The newest first. */
  ticks(name: string, limit: number): Promise<Tick[]>;
  /**
   * Carries decisions about due ticks out, in one transaction. A decision about a schedule that has changed since it was
   * seen is left out, and so is a job for a tick that has been decided before: no tick makes two jobs. Returns how many
   * jobs were made.
   */
  decide(decisions: readonly TickDecision[]): Promise<number>;
  /** Enqueues a job of the schedule now, with its environment, and records it. null: the schedule is gone. */
  runNow(name: string, job: NewJob): Promise<Job | null>;
  /** Writes what a person has changed. false: somebody else has changed it since it was seen, and nothing was written. */
  change(seen: Schedule, change: ScheduleChange): Promise<boolean>;
  /** All or none; a name that is not there is schedule_not_found. Jobs they have made stay. */
  remove(names: readonly string[]): Promise<void>;
}

export interface TickDecision {
  readonly seen: Schedule;
  readonly nextAt: number | null;
  readonly jobs: readonly NewJob[];
  /** Ids of jobs to cancel, if they have not ended by then. */
  readonly cancel: readonly string[];
  readonly skipped: readonly SkippedTick[];
}

export interface ScheduleChange extends Pick<Schedule, 'spec' | 'job' | 'nextAt' | 'pausedAt'> {
  /** undefined: it keeps the one it has. */
  readonly environment?: NewEnvironment | null | undefined;
  readonly skipped: readonly SkippedTick[];
  /** Ticks after this time that were skipped have not come yet: nobody has decided about them. undefined: all have. */
  readonly undecidedAfter?: number | undefined;
}
