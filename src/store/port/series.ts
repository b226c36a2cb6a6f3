// What the queue has done over time, in buckets that outlive jobs and workers (src/series). Every transaction that changes
// what is counted appends what it did; now and then somebody folds that into the buckets. Reading sees both.

import type { Bucket, Step } from '../../series/fold.ts';

export interface SeriesStore {
  /** The buckets of a queue that begin in [from, to), oldest first; EVERY_QUEUE: of all together. Empty ones are left out. */
  between(step: Step, queue: string, from: number, to: number): Promise<Bucket[]>;
  /** What was ever counted, by queue and for EVERY_QUEUE. Nothing but a reset makes these numbers smaller. */
  totals(): Promise<Bucket[]>;
  /** Folds a bounded part of what was appended; returns how much. One at a time: while somebody else does, nothing. */
  fold(): Promise<number>;
  /** Forgets at most `limit` buckets that are older than they are kept. */
  prune(limit: number): Promise<number>;
  /** All buckets, for a move; what is not folded yet is in them. */
  all(): Promise<Bucket[]>;
  /** In the place of what is there. */
  replace(buckets: readonly Bucket[]): Promise<void>;
}
