// Counts over time, in buckets that outlive jobs and workers (src/series). Each transaction appends what it counts, and
// a periodic chore folds these tallies into the buckets. Reads include both.

import type { Bucket, Step } from '../../series/fold.ts';

export interface SeriesStore {
  /**
   * Returns the buckets of a queue that begin in [from, to), oldest first, without empty ones. EVERY_QUEUE returns the
   * sums over all queues.
   */
  between(step: Step, queue: string, from: number, to: number): Promise<Bucket[]>;
  /** Returns the totals by queue and for EVERY_QUEUE. Only a reset decreases them. */
  totals(): Promise<Bucket[]>;
  /** Folds a bounded number of tallies and returns it. Does nothing while another process folds. */
  fold(): Promise<number>;
  /** Deletes at most `limit` buckets that are older than their retention. */
  prune(limit: number): Promise<number>;
  /** Returns all buckets, including tallies that are not folded yet. Used when a queue is moved. */
  all(): Promise<Bucket[]>;
  /** Replaces all buckets. */
  replace(buckets: readonly Bucket[]): Promise<void>;
}
