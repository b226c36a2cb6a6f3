// The data for Prometheus. Uses counters, totals and worker records, so its cost does not depend on the number of jobs.

import { EVERY_QUEUE } from '../../job/flow/concurrency.ts';
import type { Queue, WorkerView } from '../../queue/queue.ts';
import { OTHER_QUEUES, QUEUES_AT_MOST } from '../../series/fold.ts';
import type { Tally } from '../../series/tally.ts';
import type { QueueCounts, QueueLimit, WaitCounts } from '../../store/store.ts';
import { type Disk, diskOf, walBytes } from '../health/storage.ts';
import { earliest, totalsOf } from '../status.ts';

export interface Scrape {
  readonly now: number;
  readonly version: string;
  readonly engine: 'sqlite' | 'postgres';
  /** At most QUEUES_AT_MOST queues, and OTHER_QUEUES for the rest. */
  readonly queues: readonly QueueCounts[];
  readonly totals: ReadonlyMap<string, Tally>;
  /** Totals of all queues together. */
  readonly total: Tally;
  readonly workers: readonly WorkerView[];
  readonly waits: WaitCounts;
  readonly limits: readonly QueueLimit[];
  /** Duration of a small read. */
  readonly readMs: number;
  readonly databaseBytes: number;
  readonly walBytes: number;
  readonly disk: Disk | null;
}

export async function scrapeOf(queue: Queue, version: string): Promise<Scrape> {
  const startedAtMs = performance.now();
  const waits = await queue.waits.counts();
  const readMs = performance.now() - startedAtMs;
  const buckets = await queue.totals();
  const totals = new Map(buckets.map((bucket): [string, Tally] => [bucket.queue, bucket.tally]));
  const total = totals.get(EVERY_QUEUE) ?? {};
  totals.delete(EVERY_QUEUE);
  return {
    now: queue.now(),
    version,
    engine: queue.place.file === null ? 'postgres' : 'sqlite',
    queues: fewOf((await queue.overview()).queues, totals),
    totals,
    total,
    workers: await queue.workers(),
    waits,
    limits: (await queue.queues.limits()).slice(0, QUEUES_AT_MOST),
    readMs,
    databaseBytes: await queue.databaseBytes(),
    walBytes: walBytes(queue.place),
    disk: diskOf(queue.place),
  };
}

/** Prefers queues with a total of their own, so that a queue has the same label everywhere. */
function fewOf(queues: readonly QueueCounts[], named: ReadonlyMap<string, unknown>): QueueCounts[] {
  if (queues.length <= QUEUES_AT_MOST) return [...queues];
  const sorted = queues.toSorted((a, b) => Number(named.has(b.queue)) - Number(named.has(a.queue)));
  return [...sorted.slice(0, QUEUES_AT_MOST), together(sorted.slice(QUEUES_AT_MOST))];
}

const together = (queues: readonly QueueCounts[]): QueueCounts => ({
  queue: OTHER_QUEUES,
  counts: totalsOf(queues),
  oldestPendingAt: earliest(queues.map(({ oldestPendingAt }) => oldestPendingAt)),
});
