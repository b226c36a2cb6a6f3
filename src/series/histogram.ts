// How long things took, as counts in fixed buckets: histograms of any minutes, queues and workers can be added up, and a
// percentile can be told of the sum. A bucket is stored under its upper bound, so that new bounds leave old counts right.

import { Numbers } from './numbers.ts';

const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];

/** Upper bounds in milliseconds. Each is at most twice the one before, up to a day, so a percentile is never far off. */
export const BOUNDS_MS: readonly number[] = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700,
  ...[1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((n) => n * SECOND),
  ...[1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 45].map((n) => n * MINUTE),
  ...[1, 1.5, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 4, 7].map((n) => n * DAY),
]; // biome-ignore format: a list of numbers

/** The bucket of whatever is above the last bound. */
export const ABOVE = 'above';

export interface Histogram {
  /** Of all values, in milliseconds. */
  sum: number;
  /** How many values are in each bucket, by its upper bound; those without any are left out. */
  readonly in: Record<string, number>;
}

/** A histogram in the making, value by value. */
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

export const countOf = (histogram: Histogram): number =>
  Object.values(histogram.in).reduce((sum, n) => sum + n, 0);

/** How many values are at most `ms`, which has to be a bound to be exact. */
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

/** The value that this share of all values does not exceed, estimated within its bucket; null: there are none. */
export function quantile(histogram: Histogram, share: number): number | null {
  const wanted = share * countOf(histogram);
  let below = 0;
  for (const { bound, n } of bucketsOf(histogram)) {
    if (below + n >= wanted) return within(bound, (wanted - below) / n);
    below += n;
  }
  return null;
}

/** Of what is above every bound nothing better is known than the last bound. */
function within(bound: number, share: number): number {
  const last = BOUNDS_MS.at(-1) ?? 0;
  if (bound > last) return last;
  const lower = BOUNDS_MS.findLast((other) => other < bound) ?? 0;
  return lower + (bound - lower) * share;
}
