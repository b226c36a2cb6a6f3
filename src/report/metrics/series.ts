// The activity of a queue over a period, as points of a chart: counts, and percentiles of run and waiting times. Returns at
// most 300 points without gaps, from at most a few thousand buckets.

import { QueueError } from '../../errors/errors.ts';
import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import { isoTime } from '../../job/wire.ts';
import type { Queue } from '../../queue/queue.ts';
import { type Bucket, KEPT_MS, STEP_MS, type Step } from '../../series/fold.ts';
import { countOf, type Histogram, quantile } from '../../series/histogram.ts';
import { addTally, sumOfTallies, type Tally } from '../../series/tally.ts';

export const POINTS_AT_MOST = 300;

const [MINUTE, HOUR, DAY] = [STEP_MS.minute, STEP_MS.hour, STEP_MS.day];
/** Steps that are readable on an axis. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28].map((n) => n * DAY),
];

export interface SeriesQuery {
  readonly from: number;
  readonly to: number;
  /** Minimum distance of two points; increased if there would be too many points. */
  readonly stepMs?: number | undefined;
  /** Default: all queues together. */
  readonly queue?: string | undefined;
}

export interface Series {
  readonly queue: string;
  /** Start of the first point and end of the last one. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: readonly Point[];
  readonly sum: Summary;
}

export interface Point extends Summary {
  readonly at: number;
}

export async function seriesOf(queue: Pick<Queue, 'now' | 'series'>, query: SeriesQuery): Promise<Series> {
  const name = query.queue ?? EVERY_QUEUE;
  const { from, to, stepMs } = spanOf(query, queue.now());
  const counted = countedIn(await queue.series(kindOf(stepMs), name, from, to), from, to, stepMs);
  const points = counted.map(({ at, tally }) => ({ at, ...summaryOf(tally) }));
  const sum = summaryOf(sumOfTallies(counted.map(({ tally }) => tally)));
  return { queue: name, from, to, stepMs, points, sum };
}

type Span = Pick<Series, 'from' | 'to' | 'stepMs'>;

/** Limits the range to existing buckets. A range up to now includes the current moment. */
function spanOf({ from, to, stepMs = 0 }: SeriesQuery, now: number): Span {
  const [first, last] = [Math.max(from, now - KEPT_MS.day), to < now ? to : now + 1];
  if (!(from < to && first < last)) throw emptyRange(from, to, now);
  const least = Math.max(stepMs, finestSince(first, now));
  const spans = STEPS_MS.filter((step) => step >= least).map((step) => aligned(first, last, step));
  const span = spans.find((one) => (one.to - one.from) / one.stepMs <= POINTS_AT_MOST);
  return span ?? aligned(first, last, STEPS_MS.at(-1) ?? DAY);
}

function emptyRange(from: number, to: number, now: number): QueueError {
  const problem = from >= to ? 'the range ends before it starts' : 'no data for this range';
  const hint = `choose a start between ${isoTime(now - KEPT_MS.day)} and now, and an end after it`;
  return new QueueError('invalid_range', { problem, hint });
}

const aligned = (from: number, to: number, stepMs: number): Span => ({
  from: Math.floor(from / stepMs) * stepMs,
  to: Math.ceil(to / stepMs) * stepMs,
  stepMs,
});

/** Returns the size of the smallest buckets that still exist. */
function finestSince(from: number, now: number): number {
  if (from >= now - KEPT_MS.minute) return MINUTE;
  return from >= now - KEPT_MS.hour ? HOUR : DAY;
}

function kindOf(stepMs: number): Step {
  if (stepMs >= DAY) return 'day';
  return stepMs >= HOUR ? 'hour' : 'minute';
}

type Counted = Pick<Bucket, 'at' | 'tally'>;

function countedIn(buckets: readonly Bucket[], from: number, to: number, stepMs: number): Counted[] {
  const points = Array.from(
    { length: (to - from) / stepMs },
    (_, i): Counted => ({ at: from + i * stepMs, tally: {} }),
  );
  for (const { at, tally } of buckets) {
    const point = points[Math.floor((at - from) / stepMs)];
    if (point) addTally(point.tally, tally);
  }
  return points;
}

/** Outcomes after which the job is retried or dead. */
const FAILURES = ['failed', 'signalled', 'timeout', 'limit', 'not_started', 'malformed', 'rejected'] as const;
/** Outcomes of attempts that the worker interrupted. */
const INTERRUPTIONS = ['released', 'worker_lost'] as const;

export interface Summary {
  readonly enqueued: number;
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly interrupted: number;
  readonly dead: number;
  readonly cancelled: number;
  readonly run: Times | null;
  readonly wait: Times | null;
  /** CPU time of attempts, as far as known. */
  readonly cpuSeconds: number;
}

/** Milliseconds; percentiles are estimated. */
export interface Times {
  readonly count: number;
  readonly avg: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function summaryOf({ jobs, started, attempts, run, wait, cpuMs }: Tally): Summary {
  const among = (outcomes: readonly (keyof NonNullable<typeof attempts>)[]): number =>
    outcomes.reduce((sum, outcome) => sum + (attempts?.[outcome] ?? 0), 0);
  return {
    enqueued: jobs?.enqueued ?? 0,
    started: started ?? 0,
    completed: jobs?.completed ?? 0,
    failed: among(FAILURES),
    interrupted: among(INTERRUPTIONS),
    dead: jobs?.dead ?? 0,
    cancelled: jobs?.cancelled ?? 0,
    run: timesOf(run),
    wait: timesOf(wait),
    cpuSeconds: (cpuMs ?? 0) / 1000,
  };
}

function timesOf(histogram: Histogram | undefined): Times | null {
  if (!histogram || countOf(histogram) === 0) return null;
  const at = (share: number): number => Math.round(quantile(histogram, share) ?? 0);
  const count = countOf(histogram);
  return { count, avg: histogram.sum / count, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function summaryToJson({ run, wait, cpuSeconds, ...counts }: Summary) {
  return { ...counts, run_ms: run, wait_ms: wait, cpu_seconds: cpuSeconds };
}

export type SeriesJson = ReturnType<typeof seriesToJson>;

export const seriesToJson = (series: Series) => ({
  queue: series.queue,
  from: isoTime(series.from),
  to: isoTime(series.to),
  step_seconds: series.stepMs / 1000,
  sum: summaryToJson(series.sum),
  points: series.points.map(({ at, ...summary }) => ({ at: isoTime(at), ...summaryToJson(summary) })),
});
