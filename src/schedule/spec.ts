// Validates the properties of a schedule before anything is stored.

import { checkJitter } from './jitter.ts';
import { invalid, quote } from './invalid.ts';
import { CATCH_UPS, dueAt, OVERLAPS, pausedTicks, type SkippedTick } from './plan-ticks.ts';
import { rulesOf, type Schedule, type ScheduleSpec } from './schedule.ts';
import { readAt, readCron, readEvery, type Timing, timesOf, upcoming } from './timing.ts';
import { localZone, readZone } from './zone.ts';

/** As given; omitted fields keep their value or get their default. */
export interface SpecInput {
  readonly cron?: string | undefined;
  readonly every?: string | undefined;
  readonly at?: string | undefined;
  readonly zone?: string | undefined;
  readonly jitterMs?: number | undefined;
  readonly catchUp?: string | undefined;
  /** Null for no window. */
  readonly catchUpWindowMs?: number | null | undefined;
  readonly catchUpMax?: number | undefined;
  readonly overlap?: string | undefined;
}

const MOST_CAUGHT_UP = 10_000;

export const SPEC_DEFAULTS: Omit<ScheduleSpec, 'timing'> = {
  jitterMs: 0,
  catchUp: 'one',
  catchUpWindowMs: null,
  catchUpMax: 100,
  overlap: 'allow',
};

export async function readSpec(input: SpecInput, now: number, old?: ScheduleSpec): Promise<ScheduleSpec> {
  const before = old ?? SPEC_DEFAULTS;
  const spec: ScheduleSpec = {
    timing: await readTiming(input, now, old?.timing),
    jitterMs: Math.round(input.jitterMs ?? before.jitterMs),
    catchUp: oneOf(CATCH_UPS, '--catch-up', input.catchUp ?? before.catchUp),
    catchUpWindowMs: input.catchUpWindowMs === undefined ? before.catchUpWindowMs : input.catchUpWindowMs,
    catchUpMax: input.catchUpMax ?? before.catchUpMax,
    overlap: oneOf(OVERLAPS, '--overlap', input.overlap ?? before.overlap),
  };
  if (spec.catchUpMax < 1 || spec.catchUpMax > MOST_CAUGHT_UP) {
    throw invalid(`--catch-up-max must be from 1 to ${MOST_CAUGHT_UP}, not ${spec.catchUpMax}`);
  }
  checkJitter(spec.jitterMs, await timesOf(spec.timing), now);
  return spec;
}

async function readTiming(input: SpecInput, now: number, old: Timing | undefined): Promise<Timing> {
  const { cron, every, at } = input;
  const zone = input.zone === undefined ? (old?.zone ?? localZone()) : readZone(input.zone);
  const given = [cron, every, at].filter((timing) => timing !== undefined);
  if (given.length > 1) throw invalid('--cron, --every and --at cannot be combined', 'use only one of them');
  if (cron !== undefined) return readCron(cron, zone, now);
  if (every !== undefined) return sameAnchor(readEvery(every, zone, now), old);
  if (at !== undefined) return readAt(at, zone, zone === localZone(), now);
  if (old === undefined) throw invalid('missing schedule time', "use --cron '30 2 * * *', --every 90s or --at TIME");
  return { ...old, zone };
}

/** Restating the same interval keeps its anchor. */
const sameAnchor = (timing: Timing, old: Timing | undefined): Timing =>
  timing.kind === 'every' && old?.kind === 'every' && old.everyMs === timing.everyMs
    ? { ...timing, anchor: old.anchor }
    : timing;

function oneOf<T extends string>(known: readonly T[], flag: string, given: string): T {
  const found = known.find((word) => word === given);
  if (found !== undefined) return found;
  throw invalid(`invalid value ${quote(given)} for ${flag}`, `use one of ${known.join(', ')}`);
}

/** Returns when the first run after `now` is due, or null if there is none. */
export async function firstDueAt(name: string, spec: ScheduleSpec, now: number): Promise<number | null> {
  const tick = (await timesOf(spec.timing))(now);
  return tick === null ? null : dueAt(tick, rulesOf({ name, spec }));
}

/** Returns the first undecided run, or null after the last one. */
export function pendingTick(schedule: Pick<Schedule, 'name' | 'spec' | 'nextAt'>): number | null {
  return schedule.nextAt === null ? null : schedule.nextAt - dueAt(0, rulesOf(schedule));
}

/** Returns when the pending run is due after an edit. */
export async function dueAfterEdit(old: Schedule, spec: ScheduleSpec, now: number): Promise<number | null> {
  const tick = pendingTick(old);
  const isSameTiming = JSON.stringify(old.spec.timing) === JSON.stringify(spec.timing);
  if (!isSameTiming || tick === null) return firstDueAt(old.name, spec, now);
  return dueAt(tick, rulesOf({ name: old.name, spec }));
}

/** Returns the next run times without jitter. For a paused schedule, assumes that it is resumed now. */
export async function nextTicks(schedule: Schedule, count: number, now: number): Promise<number[]> {
  const next = await timesOf(schedule.spec.timing);
  const pending = pendingTick(schedule);
  if (schedule.pausedAt !== null) return upcoming(next, now, count);
  return pending === null ? [] : [pending, ...upcoming(next, Math.max(pending, now), count)].slice(0, count);
}

/** Returns the runs missed during a pause. */
export async function missedByPause(schedule: Schedule, now: number): Promise<SkippedTick[]> {
  const tick = pendingTick(schedule);
  return tick === null ? [] : pausedTicks(await timesOf(schedule.spec.timing), tick, now);
}
