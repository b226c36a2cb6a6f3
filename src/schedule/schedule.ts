// What a schedule is: when it runs, by which rules, and the job it makes at each tick.

import { isValidId, VALID_NAMES } from '../job/id.ts';
import { invalid, quote } from './invalid.ts';
import type { JobTemplate } from './job-template.ts';
import type { SkipReason, TickRules } from './plan-ticks.ts';
import type { Timing } from './timing.ts';

/** What a user decides about a schedule, but for its job; kept as one document. */
export interface ScheduleSpec extends Omit<TickRules, 'name'> {
  readonly timing: Timing;
}

export interface NewSchedule {
  readonly name: string;
  readonly spec: ScheduleSpec;
  readonly job: JobTemplate;
  /** When its next tick is due, with its jitter; null: it has had its last one. */
  readonly nextAt: number | null;
}

export interface Schedule extends NewSchedule {
  /** Since when a person has paused it. */
  readonly pausedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One time that a schedule named, and what became of it. */
export interface Tick {
  /** The time it is for. */
  readonly at: number;
  readonly outcome: 'enqueued' | 'skipped';
  /** Why it was skipped; 'by_hand' of a job that a person asked for; null of any other. */
  readonly reason: SkipReason | 'by_hand' | null;
  /** The job it made, or the one that was in its way. */
  readonly jobId: string | null;
  readonly decidedAt: number;
}

export const rulesOf = ({ name, spec }: Pick<NewSchedule, 'name' | 'spec'>): TickRules => ({ ...spec, name });

export function checkName(name: string): string {
  if (isValidId(name)) return name;
  throw invalid(`invalid schedule name ${quote(name)}`, VALID_NAMES);
}
