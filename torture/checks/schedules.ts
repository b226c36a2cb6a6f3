// Checks that each scheduled run creates exactly one job or is skipped for a recorded reason. Uses the stored runs, the
// jobs, and the times computed from the schedule.

import type { Job } from '../../src/job/job.ts';
import { TICKS_KEPT } from '../../src/schedule/schedule-limits.ts';
import type { Schedule, Tick } from '../../src/schedule/schedule.ts';
import { pendingTick } from '../../src/schedule/spec.ts';
import type { NextTime } from '../../src/schedule/timing.ts';
import type { Problem } from '../evidence.ts';

/** Known facts about a schedule from the changes made to it. */
export interface ScheduleFacts {
  /** The schedule must exist, must not exist, or may do either after an unanswered change. */
  existence: 'there' | 'gone' | 'doubtful';
  /** Time since when its timing is unchanged. */
  timedSince: number;
  /** IDs of its jobs when a pause was acknowledged, and just before the resume. */
  readonly pauses: { readonly before: ReadonlySet<string>; readonly after: readonly string[] }[];
  /** IDs of manually requested jobs. */
  readonly byHand: Set<string>;
}

/** A schedule at the end of the run, with everything stored about it. */
export interface KeptSchedule {
  readonly schedule: Schedule;
  readonly ticks: readonly Tick[];
  readonly next: NextTime;
}

export interface Circumstances {
  readonly isDeleted: (jobId: string) => boolean;
  /** True if runs may have been dropped early because a clock that was ahead had passed them. */
  readonly forgets: boolean;
}

export function wrongSchedules(
  facts: ReadonlyMap<string, ScheduleFacts>,
  kept: readonly KeptSchedule[],
  jobs: readonly Job[],
  { isDeleted, forgets }: Circumstances,
): Problem[] {
  const there = new Set(kept.map(({ schedule }) => schedule.name));
  const made = Map.groupBy(jobs, ({ schedule }) => schedule ?? '');
  const ofTicks = (name: string): Job[] => (made.get(name) ?? []).filter(({ id }) => !facts.get(name)?.byHand.has(id));
  return [
    ...[...facts].flatMap(([name, { existence, pauses }]) => [
      ...(existence === (there.has(name) ? 'gone' : 'there')
        ? [{ what: `schedule ${name} should be ${existence}`, name }]
        : []),
      ...pauses.flatMap((pause) => madeMeanwhile(name, pause)),
      ...madeTwice(name, ofTicks(name)),
    ]),
    ...kept.flatMap((one) => [
      ...withoutJob(one, new Map(jobs.map((job) => [job.id, job])), isDeleted),
      ...withoutTick(one, ofTicks(one.schedule.name), forgets),
      ...undecided(one, Math.max(oldestKept(one, forgets), facts.get(one.schedule.name)?.timedSince ?? 0)),
    ]),
  ];
}

function madeMeanwhile(name: string, { before, after }: ScheduleFacts['pauses'][number]): Problem[] {
  return after
    .filter((id) => !before.has(id))
    .map((id) => ({ what: `schedule ${name} made job ${id} while it was paused`, name, jobId: id }));
}

function madeTwice(name: string, jobs: readonly Job[]): Problem[] {
  return [...Map.groupBy(jobs, ({ scheduledAt }) => scheduledAt)]
    .filter(([, ofTick]) => ofTick.length > 1)
    .map(([at, ofTick]) => ({
      what: `the tick ${timeOf(at)} of schedule ${name} made ${ofTick.map(({ id }) => id).join(' and ')}`,
      name,
      jobId: ofTick[0]?.id ?? '',
    }));
}

/** Finds runs that claim to have created a job but did not, and runs skipped without a reason. */
function withoutJob(
  { schedule: { name }, ticks }: KeptSchedule,
  jobs: ReadonlyMap<string, Job>,
  isDeleted: (jobId: string) => boolean,
): Problem[] {
  const isRight = ({ outcome, reason, jobId, at }: Tick): boolean => {
    if (outcome === 'skipped') return reason !== null;
    const job = jobs.get(jobId ?? '');
    return job === undefined ? isDeleted(jobId ?? '') : job.schedule === name && job.scheduledAt === at;
  };
  return ticks
    .filter((tick) => !isRight(tick))
    .map(({ at, outcome, jobId }) => ({
      what: `the tick ${timeOf(at)} of schedule ${name} is ${outcome} without ${outcome === 'skipped' ? 'a reason' : `its job ${jobId}`}`,
      name,
      at,
    }));
}

/**
 * Finds jobs whose scheduled run is missing although it should be stored. Exempt: a job that a fast clock created for a
 * future time may lose its run to later ones of another fast clock until its time comes. Not exempt: a time that the
 * schedule no longer has, as it is never decided again.
 */
function withoutTick(one: KeptSchedule, jobs: readonly Job[], forgets: boolean): Problem[] {
  const { schedule, ticks, next } = one;
  const { name } = schedule;
  const from = oldestKept(one, forgets);
  const isDecidedAgain = (at: number): boolean => !forgets || next(at - 1) === at;
  const until = (forgets ? pendingTick(schedule) : null) ?? Number.POSITIVE_INFINITY;
  const known = new Set(ticks.filter(({ outcome }) => outcome === 'enqueued').map(({ jobId }) => jobId));
  return jobs
    .filter(({ scheduledAt }) => (scheduledAt ?? 0) >= from && (scheduledAt ?? 0) < until)
    .filter(({ id, scheduledAt }) => !known.has(id) && isDecidedAgain(scheduledAt ?? 0))
    .map(({ id }) => ({ what: `no tick of schedule ${name} knows its job ${id}`, name, jobId: id }));
}

/** Finds past times without a decision. */
function undecided({ schedule, ticks, next }: KeptSchedule, from: number): Problem[] {
  const decided = new Set(ticks.map(({ at }) => at));
  const until = pendingTick(schedule) ?? Number.POSITIVE_INFINITY;
  const missing: number[] = [];
  if (from === Number.POSITIVE_INFINITY) return [];
  for (let at = next(from); at !== null && at < until; at = next(at)) if (!decided.has(at)) missing.push(at);
  return missing.map((at) => ({
    what: `nobody decided about the tick ${timeOf(at)} of schedule ${schedule.name}`,
    name: schedule.name,
    at,
  }));
}

/** Older runs may have been dropped. Nothing was dropped while fewer are stored than the maximum. */
const oldestKept = ({ ticks }: KeptSchedule, forgets: boolean): number =>
  ticks.length < TICKS_KEPT && !forgets ? Number.NEGATIVE_INFINITY : Math.min(...ticks.map(({ at }) => at));

const timeOf = (at: number | null): string => new Date(at ?? 0).toISOString();
