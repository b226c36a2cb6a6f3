// Schedules and their runs. Code calls a scheduled run a tick.

import type { NewEnvironment } from '../../job/environment/environment.ts';
import type { Job, NewJob } from '../../job/job.ts';
import type { SkippedTick } from '../../schedule/plan-ticks.ts';
import type { NewSchedule, Schedule, Tick } from '../../schedule/schedule.ts';

export interface Schedules {
  /**
   * Adds all of the schedules or none; a taken name is the error schedule_exists. Their jobs run with this environment.
   */
  add(schedules: readonly NewSchedule[], environment: NewEnvironment | null): Promise<Schedule[]>;
  get(name: string): Promise<Schedule | null>;
  /** Sorted by name. */
  all(): Promise<Schedule[]>;
  /** Returns schedules after this name, sorted by name. */
  page(afterName: string, limit: number): Promise<Schedule[]>;
  /**
   * Returns schedules whose next tick is due, the longest due first, except those named. The cost does not depend on
   * the number of schedules.
   */
  due(limit: number, except?: readonly string[]): Promise<Schedule[]>;
  /** Returns the IDs of unfinished jobs of this schedule, oldest first. */
  unfinishedJobs(name: string, limit: number): Promise<string[]>;
  /** Returns the newest ticks first. */
  ticks(name: string, limit: number): Promise<Tick[]>;
  /**
   * Carries out decisions about due ticks in one transaction. Skips decisions about schedules that have changed since
   * they were read, and jobs for ticks that are already decided, so that no tick creates two jobs. Returns the number
   * of created jobs.
   */
  decide(decisions: readonly TickDecision[]): Promise<number>;
  /**
   * Enqueues a job of the schedule now, with the schedule's environment, and records it. Returns null if the schedule
   * is gone.
   */
  runNow(name: string, job: NewJob): Promise<Job | null>;
  /** Stores a user's changes. Returns false, and writes nothing, if the schedule has changed since it was read. */
  change(seen: Schedule, change: ScheduleChange): Promise<boolean>;
  /**
   * Removes all of the schedules or none; an unknown name is the error schedule_not_found. Jobs that they have created
   * stay.
   */
  remove(names: readonly string[]): Promise<void>;
}

export interface TickDecision {
  readonly seen: Schedule;
  readonly nextAt: number | null;
  readonly jobs: readonly NewJob[];
  /** IDs of jobs to cancel unless they have finished. */
  readonly cancel: readonly string[];
  readonly skipped: readonly SkippedTick[];
}

export interface ScheduleChange extends Pick<Schedule, 'spec' | 'job' | 'nextAt' | 'pausedAt'> {
  /** Undefined keeps the current environment. */
  readonly environment?: NewEnvironment | null | undefined;
  readonly skipped: readonly SkippedTick[];
  /** Makes skipped ticks after this time undecided again, because they are still to come. Undefined changes none. */
  readonly undecidedAfter?: number | undefined;
}
