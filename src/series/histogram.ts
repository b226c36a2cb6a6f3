// Histograms of durations with fixed buckets: they can be added up across minutes, queues and workers, and yield
// percentiles. Each bucket is stored under its upper bound, so that new bounds leave old counts valid.

import { Numbers } from './numbers.ts';

const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];

/**
 * Upper bounds in milliseconds. Each is at most twice the previous one, up to a day, so percentiles are reasonably
 * exact.
 */
export const BOUNDS_MS: readonly number[] = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700,
  ...[1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((n) => n * SECOND),
  ...[1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 45].map((n) => n * MINUTE),
  ...[1, 1.5, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 4, 7].map((n) => n * DAY),
]; // biome-ignore format: a list of numbers

/** Bucket for values above the last bound. */
export const ABOVE = 'above';

export interface Histogram {
  /** Sum of all values in milliseconds. */
  sum: number;
  /** Number of values by upper bound; empty buckets are omitted. */
  readonly in: Record<string, number>;
}

export class Values {
  private sum = 0;
  private readonly in = new Numbers();

  add(ms: number): void {
    const value = Math.max(0, Math.round(ms) || 0);
    this.sum += value;
    this.in.add(String(BOUNDS_MS.find((bound) => value <= bound) ?? ABOVE), 1);
  }

  /** JSON of a Histogram. */
  get text(): string {
    return `{"sum":${this.sum},"in":${this.in.text}}`;
  }
}

export function addHistogram(to: Histogram = { sum: 0, in: {} }, from: Histogram): Histogram {
  to.sum += from.sum;
  for (const [bucket, n] of Object.entries(from.in)) to.in[bucket] = (to.in[bucket] ?? 0) + n;
  return to;
}

export const countOf = (histogram: Histogram): number => Object.values(histogram.in).reduce((sum, n) => sum + n, 0);

/** Returns the number of values up to `ms`; exact only if `ms` is a bound. */
export const countUpTo = (histogram: Histogram, ms: number): number =>
  bucketsOf(histogram).reduce((sum, { bound, n }) => (bound <= ms ? sum + n : sum), 0);

interface Bucket {
  readonly bound: number;
  readonly n: number;
}

const bucketsOf = (histogram: Histogram): Bucket[] =>
  Object.entries(histogram.in)
    .map(([bucket, n]) => ({ bound: bucket === ABOVE ? Number.POSITIVE_INFINITY : Number(bucket), n }))
    .sort((a, b) => a.bound - b.bound);

/** Estimates the quantile by interpolation within its bucket. Returns null if there are no values. */
export function quantile(histogram: Histogram, share: number): number | null {
  const wanted = share * countOf(histogram);
  let below = 0;
  for (const { bound, n } of bucketsOf(histogram)) {
    if (below + n >= wanted) return within(bound, (wanted - below) / n);
    below += n;
  }
  return null;
}

/** Values above all bounds are estimated as the last bound. */
function within(bound: number, share: number): number {
  const last = BOUNDS_MS.at(-1) ?? 0;
  if (bound > last) return last;
  const lower = BOUNDS_MS.findLast((other) => other < bound) ?? 0;
  return lower + (bound - lower) * share;
}
