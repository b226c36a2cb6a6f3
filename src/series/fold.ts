// Folds counts into buckets: by minute, hour and day for each queue and for all, and totals that never decrease. Each
// kind of bucket has its own retention, so their number is bounded.

import { EVERY_QUEUE } from '../job/flow/concurrency.ts';
import { addTally, type Tally } from './tally.ts';

export const STEPS = ['minute', 'hour', 'day'] as const;
export type Step = (typeof STEPS)[number];

/** The bucket that is never pruned. */
export const TOTAL = 'total';
export type BucketKind = Step | typeof TOTAL;

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

export const STEP_MS: Readonly<Record<Step, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

export const KEPT_MS: Readonly<Record<Step, number>> = {
  minute: 48 * HOUR_MS,
  hour: 60 * DAY_MS,
  day: 5 * 366 * DAY_MS,
};

/** Beyond this many queues in a bucket, the rest is counted together. */
export const QUEUES_AT_MOST = 100;

/** Name for the rest; no queue can have it. */
export const OTHER_QUEUES = '(other)';

/** Counts that have not been folded yet. */
export interface Counted {
  readonly at: number;
  readonly queue: string;
  readonly tally: Tally;
}

export interface Bucket {
  readonly kind: BucketKind;
  /** A queue, EVERY_QUEUE or OTHER_QUEUES. */
  readonly queue: string;
  /** Start of the bucket; 0 for totals. */
  readonly at: number;
  readonly tally: Tally;
}

export const bucketStart = (kind: BucketKind, at: number): number =>
  kind === TOTAL ? 0 : Math.floor(at / STEP_MS[kind]) * STEP_MS[kind];

type Span = Pick<Bucket, 'kind' | 'at'>;

/** Returns the affected spans. The store reads all buckets of each before it folds. */
export function spansOf(counted: readonly Counted[]): Span[] {
  const spans = new Map<string, Span>();
  for (const { at } of counted)
    for (const kind of [...STEPS, TOTAL] as const) {
      const span = { kind, at: bucketStart(kind, at) };
      spans.set(`${kind} ${span.at}`, span);
    }
  return [...spans.values()];
}

/** Returns the changed buckets. `stored` must contain all buckets of the affected spans. */
export function fold(stored: readonly Bucket[], counted: readonly Counted[]): Bucket[] {
  const bySpan = new Map<string, BucketsOfSpan>();
  const spanOf = ({ kind, at }: Span): BucketsOfSpan => {
    const key = `${kind} ${at}`;
    const known = bySpan.get(key) ?? new BucketsOfSpan(kind, at);
    bySpan.set(key, known);
    return known;
  };
  for (const bucket of stored) spanOf(bucket).take(bucket);
  for (const one of byMinute(counted))
    for (const kind of [...STEPS, TOTAL] as const)
      spanOf({ kind, at: bucketStart(kind, one.at) }).add(one.queue, one.tally);
  return [...bySpan.values()].flatMap((span) => span.changed());
}

/** Combines counts of the same minute and queue, so that each hour and day is updated once. */
function byMinute(counted: readonly Counted[]): Counted[] {
  const minutes = new Map<string, Counted>();
  for (const { at, queue, tally } of counted) {
    const minute = bucketStart('minute', at);
    const key = `${minute} ${queue}`;
    const known = minutes.get(key) ?? { at: minute, queue, tally: {} };
    addTally(known.tally, tally);
    minutes.set(key, known);
  }
  return [...minutes.values()];
}

class BucketsOfSpan {
  private readonly kind: BucketKind;
  private readonly at: number;
  private readonly tallies = new Map<string, Tally>();
  private readonly touched = new Set<string>();

  constructor(kind: BucketKind, at: number) {
    this.kind = kind;
    this.at = at;
  }

  take({ queue, tally }: Bucket): void {
    this.tallies.set(queue, structuredClone(tally));
  }

  add(queue: string, tally: Tally): void {
    this.addTo(this.nameOf(queue), tally);
    this.addTo(EVERY_QUEUE, tally);
  }

  changed(): Bucket[] {
    return [...this.touched].map((queue) => ({
      kind: this.kind,
      queue,
      at: this.at,
      tally: this.tallies.get(queue) ?? {},
    }));
  }

  private addTo(name: string, tally: Tally): void {
    const known = this.tallies.get(name) ?? {};
    addTally(known, tally);
    this.tallies.set(name, known);
    this.touched.add(name);
  }

  /** Queues keep their names in the order they were first counted, as long as there is room. */
  private nameOf(queue: string): string {
    if (this.tallies.has(queue)) return queue;
    const named = [...this.tallies.keys()].filter((name) => name !== EVERY_QUEUE && name !== OTHER_QUEUES);
    return named.length < QUEUES_AT_MOST ? queue : OTHER_QUEUES;
  }
}
