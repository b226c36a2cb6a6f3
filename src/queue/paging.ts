// Pages of jobs, and counts of them, at a bounded cost. What no index has is looked for job by job: first among few, then
// among more and more, until enough is found or the time is up. The answer says how far it got, so that nobody takes a part
// of the queue for all of it. Between two steps others get their turn.

import type { Job } from '../job/job.ts';
import type { JobFilter, PageEnd, PageQuery, Store } from '../store/store.ts';

/** How long one request may look; a client that wants more goes on from where it ended. */
const LOOK_WITHIN_MS = 200;
/** At first, for each job that is wanted. */
const FIRST_LOOK = 4;
const LOOK_AT_MOST = 8192;

export interface FoundPage {
  readonly jobs: readonly Job[];
  /** Where to go on; null: there is no more. */
  readonly next: PageEnd | null;
  /** How many jobs were looked at when the time was up; null: it was not, and the page is as full as it can be. */
  readonly searched: number | null;
}

export interface Counted {
  readonly count: number;
  /** false: there may be more. */
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

/** No more than `most` are counted. */
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
