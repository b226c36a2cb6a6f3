// Schedules as JSON for the CLI and HTTP.

import { freshJob } from '../job/fresh-job.ts';
import type { Confinement } from '../job/isolation/isolation.ts';
import { inputOfConfinement } from '../job/input/isolation-input.ts';
import { inputOfRules } from '../job/input/outcome-input.ts';
import { isoTime, type Json, jobToJson } from '../job/wire.ts';
import { jobFrom } from '../schedule/job-template.ts';
import type { Schedule, Tick } from '../schedule/schedule.ts';
import { nextTicks } from '../schedule/spec.ts';
import type { Timing } from '../schedule/timing.ts';
import { timingInWords } from '../schedule/words.ts';

export interface ScheduleView {
  readonly schedule: Schedule;
  readonly words: string;
  /** Times of the next runs, without jitter. */
  readonly next: readonly number[];
}

export async function viewOf(schedule: Schedule, now: number, count: number): Promise<ScheduleView> {
  const words = await timingInWords(schedule.spec.timing);
  return { schedule, words, next: await nextTicks(schedule, count, now) };
}

/** ended: no more runs. */
export function stateOf({ pausedAt, nextAt }: Schedule): 'active' | 'paused' | 'ended' {
  if (pausedAt !== null) return 'paused';
  return nextAt === null ? 'ended' : 'active';
}

export function scheduleToJson({ schedule, words, next }: ScheduleView, show = { env: false }): Json {
  const { name, spec, job, pausedAt } = schedule;
  return {
    name,
    ...timingToJson(spec.timing),
    time_zone: spec.timing.zone,
    words,
    jitter_seconds: spec.jitterMs / 1000,
    catch_up: spec.catchUp,
    catch_up_window_seconds: spec.catchUpWindowMs === null ? null : spec.catchUpWindowMs / 1000,
    catch_up_max: spec.catchUpMax,
    overlap: spec.overlap,
    state: stateOf(schedule),
    paused: pausedAt !== null,
    paused_at: isoTime(pausedAt),
    next_at: pausedAt === null ? isoTime(schedule.nextAt) : null,
    next: next.map(isoTime),
    job: templateToJson(job, show),
    created_at: isoTime(schedule.createdAt),
    updated_at: isoTime(schedule.updatedAt),
  };
}

const timingToJson = (timing: Timing): Json => ({
  cron: timing.kind === 'cron' ? timing.expression : null,
  every_seconds: timing.kind === 'every' ? timing.everyMs / 1000 : null,
  at: timing.kind === 'at' ? isoTime(timing.at) : null,
});

const confinementToJson = (confinement: Confinement | null | undefined): Json =>
  confinement ? inputOfConfinement(confinement) : {};

/** Returns only the fields that were set, in the JSON format of a stored job. */
function templateToJson(job: Schedule['job'], show: { env: boolean }): Json {
  const own = { id: '', schedule: '', scheduledAt: 0, after: [] };
  const whole = jobToJson(freshJob(jobFrom(job, { maxRetries: 0, timeoutSeconds: null }, own), 0), show);
  const { outcomeRules, confinement, ...fields } = job;
  const said = Object.entries(fields).map(([field, value]) => {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, whole[name] ?? value];
  });
  return {
    ...Object.fromEntries(said),
    ...inputOfRules(outcomeRules ?? null),
    ...confinementToJson(confinement),
    env: whole.env,
  };
}

export const tickToJson = (tick: Tick): Json => ({
  scheduled_at: isoTime(tick.at),
  outcome: tick.outcome,
  reason: tick.reason,
  job: tick.jobId,
  decided_at: isoTime(tick.decidedAt),
});
