// Schedule types of the library. Types only, as in data.ts.

import type { Time } from './data.ts';
import type { NewJob } from './job-data.ts';

/** When a schedule runs; exactly one of cron, every and at. */
export interface Timing {
  /** '30 2 * * *', six fields with seconds, or '@daily'. */
  readonly cron?: string;
  /** '90s', '5m', '1h30m'. */
  readonly every?: string;
  /** Runs once. */
  readonly at?: string;
  /** 'Europe/Berlin'. */
  readonly tz?: string;
}

export interface ScheduleRules {
  readonly overlap?: 'allow' | 'skip' | 'queue' | 'replace';
  readonly catch_up?: 'none' | 'one' | 'all';
  readonly catch_up_window_seconds?: number | null;
  readonly catch_up_max?: number;
  readonly jitter_seconds?: number;
}

export interface NewSchedule extends Timing, ScheduleRules {
  readonly name: string;
  readonly job: NewJob;
}

/** Leaves omitted fields unchanged. */
export interface ScheduleEdit extends Timing, ScheduleRules {
  readonly job?: NewJob;
}

export interface Schedule {
  readonly name: string;
  readonly cron: string | null;
  readonly every_seconds: number | null;
  readonly at: Time | null;
  readonly time_zone: string;
  readonly words: string;
  readonly jitter_seconds: number;
  readonly catch_up: 'none' | 'one' | 'all';
  readonly catch_up_window_seconds: number | null;
  readonly catch_up_max: number;
  readonly overlap: 'allow' | 'skip' | 'queue' | 'replace';
  readonly state: 'active' | 'paused' | 'ended';
  readonly paused: boolean;
  readonly paused_at: Time | null;
  readonly next_at: Time | null;
  readonly next: Time[];
  readonly job: Record<string, unknown>;
  readonly created_at: Time;
  readonly updated_at: Time;
}

/** One scheduled run and its outcome. */
export interface Tick {
  readonly scheduled_at: Time;
  readonly outcome: 'enqueued' | 'skipped';
  readonly reason: string | null;
  readonly job: string | null;
  readonly decided_at: Time;
}

export interface ScheduleDetails extends Schedule {
  readonly ticks: Tick[];
}
