// Pages and counts of jobs at a bounded cost. Conditions without an index are tested job by job, in growing steps,
// until enough is found or the time is up. The result says how far the search got. Steps yield to the event loop.

import type { Job } from '../job/job.ts';
import type { JobFilter, PageEnd, PageQuery, Store } from '../store/store.ts';

/** Time limit of one request; a client can continue where it ended. */
const LOOK_WITHIN_MS = 200;
/** Jobs to test at first, per wanted job. */
const FIRST_LOOK = 4;
const LOOK_AT_MOST = 8192;

export interface FoundPage {
  readonly jobs: readonly Job[];
  /** Position of the next page; null at the end. */
  readonly next: PageEnd | null;
  /** Number of jobs tested when the time was up; null if the page is complete. */
  readonly searched: number | null;
}

export interface Counted {
  readonly count: number;
  /** False if there may be more. */
  readonly isExact: boolean;
}

export async function pageOf(store: Store, query: Omit<PageQuery, 'lookAt'>): Promise<FoundPage> {
  const isOver = deadline();
  const jobs: Job[] = [];
  let searched = 0;
  for (let [lookAt, after] = [query.limit * FIRST_LOOK, query.after]; ; lookAt *= 2) {
    const limit = query.limit - jobs.length;
    const page = await store.page({ ...query, after, limit, lookAt: Math.min(lookAt, LOOK_AT_MOST) });
    jobs.push(...page.jobs);
    searched += page.lookedAt;
    after = page.next;
    if (after === null || jobs.length === query.limit) return { jobs, next: after, searched: null };
    if (isOver()) return { jobs, next: after, searched };
    await aMoment();
  }
}

/** Counts up to `most` jobs. */
export async function countUpTo(store: Store, filter: JobFilter, most: number): Promise<Counted> {
  const isOver = deadline();
  let count = 0;
  for (let after: number | null = null; ; await aMoment()) {
    const some = await store.countSome(filter, LOOK_AT_MOST, after);
    count += some.count;
    after = some.next;
    if (count > most) return { count: most, isExact: false };
    if (after === null || isOver()) return { count, isExact: after === null };
  }
}

function deadline(): () => boolean {
  const until = performance.now() + LOOK_WITHIN_MS;
  return () => performance.now() >= until;
}

const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
