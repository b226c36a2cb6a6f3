// Any number of jobs, a page at a time: what is held in memory does not grow with what is shown.
// The order is fixed when the first page is asked for, so no job comes twice; one that is gone by then, or no longer
// matches, is left out. No read is left open between pages: it would keep the database from tidying up.

import type { Job } from '../job/job.ts';
import type { Queue } from '../queue/queue.ts';
import type { ListQuery } from '../store/store.ts';

const PAGE_SIZE = 1000;
/** What a list shows when nobody says how much, and one more to know whether there are more. */
const READ_AT_ONCE = PAGE_SIZE + 1;

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Whether this page is all there is. */
  readonly isAll: boolean;
}

/** At least one page, which may be empty. */
export async function* jobPages(queue: Queue, query: ListQuery): AsyncGenerator<JobPage> {
  if (query.limit !== null && query.limit <= READ_AT_ONCE) {
    yield { jobs: await queue.list(query), isAll: true };
    return;
  }
  const ids = await queue.idsOf(query);
  const isAll = ids.length <= PAGE_SIZE;
  for (let at = 0; at === 0 || at < ids.length; at += PAGE_SIZE) {
    yield { jobs: await queue.getAll(ids.slice(at, at + PAGE_SIZE), query), isAll };
  }
}
