// A schedule: its times, its rules, and the job it creates at each run.

import { isValidId, VALID_NAMES } from '../job/id.ts';
import { invalid, quote } from './invalid.ts';
import type { JobTemplate } from './job-template.ts';
import type { SkipReason, TickRules } from './plan-ticks.ts';
import type { Timing } from './timing.ts';

/** User-defined properties of a schedule except for its job; stored as one document. */
export interface ScheduleSpec extends Omit<TickRules, 'name'> {
  readonly timing: Timing;
}

export interface NewSchedule {
  readonly name: string;
  readonly spec: ScheduleSpec;
  readonly job: JobTemplate;
  /** When the next run is due, including jitter; null after the last run. */
  readonly nextAt: number | null;
}

export interface Schedule extends NewSchedule {
  /** Time when a user paused the schedule. */
  readonly pausedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One scheduled run and its outcome. */
export interface Tick {
  /** Scheduled time. */
  readonly at: number;
  readonly outcome: 'enqueued' | 'skipped';
  /** Why it was skipped; 'by_hand' for a manually requested run; null otherwise. */
  readonly reason: SkipReason | 'by_hand' | null;
  /** The job it created, or the unfinished job that caused the skip. */
  readonly jobId: string | null;
  readonly decidedAt: number;
}

export const rulesOf = ({ name, spec }: Pick<NewSchedule, 'name' | 'spec'>): TickRules => ({ ...spec, name });

export function checkName(name: string): string {
  if (isValidId(name)) return name;
  throw invalid(`invalid schedule name ${quote(name)}`, VALID_NAMES);
}
