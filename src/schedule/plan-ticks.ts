// Decides about the due runs of a schedule: which create a job, which are skipped and why, and when the next is due.
// Pure; the caller applies the result only if the pending run is still the same.

import { jitterOf } from './jitter.ts';
import { MOST_UNFINISHED, TICKS_KEPT } from './schedule-limits.ts';
import type { NextTime } from './timing.ts';

/** Missed runs to catch up on: none, the latest, or all. */
export const CATCH_UPS = ['none', 'one', 'all'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** Action while jobs of earlier runs are unfinished. */
export const OVERLAPS = ['allow', 'skip', 'queue', 'replace'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export interface TickRules {
  readonly name: string;
  readonly jitterMs: number;
  readonly catchUp: CatchUp;
  /** Older missed runs are skipped; null for no age limit. */
  readonly catchUpWindowMs: number | null;
  /** Maximum number of missed runs to catch up on at once. */
  readonly catchUpMax: number;
  readonly overlap: Overlap;
}

export type SkipReason =
  | 'missed'
  | 'too_old'
  | 'over_limit'
  | 'overlap'
  | 'replaced'
  | 'paused'
  | 'draining'
  | 'rejected'
  | 'not_unique';

export interface SkippedTick {
  readonly tick: number;
  readonly reason: SkipReason;
  /** The unfinished job that caused the skip. */
  readonly jobId: string | null;
}

export interface PlannedJob {
  readonly tick: number;
  readonly jobId: string;
  /** Jobs that must finish first, with any outcome. */
  readonly after: readonly string[];
}

export interface TickPlan {
  readonly enqueue: readonly PlannedJob[];
  /** Jobs to cancel in favour of the new one. */
  readonly cancel: readonly string[];
  /** The newest skipped runs. */
  readonly skipped: readonly SkippedTick[];
  /** Null after the last run. */
  readonly nextTick: number | null;
  /** When the next run is due, including jitter. */
  readonly nextAt: number | null;
}

/** A run that a worker handles within this time is not considered missed. */
export const ON_TIME_MS = 60_000;
/** Initial time span to search for the newest runs; grows until it contains enough. */
const FIRST_SPAN_MS = 60_000;

/** `firstTick` is the first undecided run; `unfinished` are the jobs of earlier ones. */
export function planTicks(
  rules: TickRules,
  firstTick: number,
  next: NextTime,
  now: number,
  unfinished: readonly string[],
  newId: () => string,
): TickPlan {
  const delay = jitterOf(rules.name, rules.jitterMs);
  const due = newestTicks(next, firstTick, now - delay, rules.catchUpMax + TICKS_KEPT);
  const { run, skipped } = caughtUp(rules, due, now - delay);
  const { enqueue, cancel, inTheWay } = overlapping(rules.overlap, run, unfinished, newId);
  const nextTick = due.length === 0 ? firstTick : next(Math.max(now - delay, due.at(-1) ?? 0));
  return {
    enqueue,
    cancel,
    skipped: [...skipped, ...inTheWay].sort((a, b) => a.tick - b.tick).slice(-TICKS_KEPT),
    nextTick,
    nextAt: nextTick === null ? null : nextTick + delay,
  };
}

/** Returns when a run is due, including jitter. */
export const dueAt = (tick: number, { name, jitterMs }: Pick<TickRules, 'name' | 'jitterMs'>): number =>
  tick + jitterOf(name, jitterMs);

/** Returns the newest runs missed during a pause. */
export const pausedTicks = (next: NextTime, firstTick: number, now: number): SkippedTick[] =>
  newestTicks(next, firstTick, now, TICKS_KEPT).map((tick) => ({ tick, reason: 'paused', jobId: null }));

/**
 * Returns the newest `most` from `first` to `until`, without enumerating all runs of, for example, a year without
 * workers.
 */
function newestTicks(next: NextTime, first: number, until: number, most: number): number[] {
  for (let span = FIRST_SPAN_MS; ; span *= 4) {
    const from = Math.max(first, until - span);
    const ticks = ticksWithin(next, from, until);
    if (from === first) return (first <= until ? [first, ...ticks] : []).slice(-most);
    if (ticks.length >= most) return ticks.slice(-most);
  }
}

function ticksWithin(next: NextTime, after: number, until: number): number[] {
  const ticks: number[] = [];
  for (let at = next(after); at !== null && at <= until; at = next(at)) ticks.push(at);
  return ticks;
}

interface CaughtUp {
  readonly run: readonly number[];
  readonly skipped: readonly SkippedTick[];
}

function caughtUp(rules: TickRules, due: readonly number[], now: number): CaughtUp {
  const reasonOf = REASONS[rules.catchUp];
  const reasons = due.map((tick, i) => reasonOf(rules, now - tick, due.length - 1 - i));
  return {
    run: due.filter((_, i) => reasons[i] === null),
    skipped: due.flatMap((tick, i) => {
      const reason = reasons[i];
      return reason ? { tick, reason, jobId: null } : [];
    }),
  };
}

type ReasonOf = (rules: TickRules, lateMs: number, newer: number) => SkipReason | null;

const isTooOld = ({ catchUpWindowMs }: TickRules, lateMs: number): boolean =>
  lateMs > Math.max(catchUpWindowMs ?? Number.POSITIVE_INFINITY, ON_TIME_MS);

/** Reasons for skipping a run, by how late it is and how many newer ones are due. */
const REASONS: Readonly<Record<CatchUp, ReasonOf>> = {
  none: (_, lateMs, newer) => (newer > 0 || lateMs > ON_TIME_MS ? 'missed' : null),
  one: (rules, lateMs, newer) => (newer > 0 ? 'missed' : isTooOld(rules, lateMs) ? 'too_old' : null),
  all: (rules, lateMs, newer) =>
    isTooOld(rules, lateMs) ? 'too_old' : newer >= rules.catchUpMax ? 'over_limit' : null,
};

interface Overlapping {
  readonly enqueue: readonly PlannedJob[];
  readonly cancel: readonly string[];
  readonly inTheWay: readonly SkippedTick[];
}

function overlapping(
  overlap: Overlap,
  run: readonly number[],
  unfinished: readonly string[],
  newId: () => string,
): Overlapping {
  if (run.length === 0) return { enqueue: [], cancel: [], inTheWay: [] };
  return OVERLAPPING[overlap](run, unfinished, newId);
}

const OVERLAPPING: Readonly<
  Record<Overlap, (run: readonly number[], unfinished: readonly string[], newId: () => string) => Overlapping>
> = {
  allow: (run, _, newId) => ({
    enqueue: run.map((tick) => ({ tick, jobId: newId(), after: [] })),
    cancel: [],
    inTheWay: [],
  }),
  skip: (run, unfinished, newId) => {
    const enqueue = run.slice(0, unfinished.length > 0 ? 0 : 1).map((tick) => ({ tick, jobId: newId(), after: [] }));
    const jobId = enqueue[0]?.jobId ?? unfinished[0] ?? null;
    return { enqueue, cancel: [], inTheWay: run.slice(enqueue.length).map(skippedFor('overlap', jobId)) };
  },
  queue: (run, unfinished, newId) => {
    const room = Math.max(0, MOST_UNFINISHED - unfinished.length);
    const jobs = run.slice(0, room).map((tick) => ({ tick, jobId: newId() }));
    const before = (i: number): string[] => [...unfinished, ...jobs.slice(0, i).map(({ jobId }) => jobId)];
    return {
      // Depends on all of them, not only on the last, which may be cancelled or deleted while others are unfinished.
      enqueue: jobs.map((job, i) => ({ ...job, after: before(i) })),
      cancel: [],
      inTheWay: run.slice(room).map(skippedFor('overlap', unfinished[0] ?? null)),
    };
  },
  replace: (run, unfinished, newId) => {
    const jobId = newId();
    return {
      enqueue: run.slice(-1).map((tick) => ({ tick, jobId, after: unfinished })),
      cancel: unfinished,
      inTheWay: run.slice(0, -1).map(skippedFor('replaced', jobId)),
    };
  },
};

const skippedFor =
  (reason: SkipReason, jobId: string | null) =>
  (tick: number): SkippedTick => ({ tick, reason, jobId });
