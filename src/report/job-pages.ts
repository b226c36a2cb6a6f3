// Any number of jobs, a page at a time, in bounded memory. The first page fixes the order, so no job appears twice. Jobs
// that are deleted or stop matching in the meantime are left out. No read stays open between pages, because it would keep
// the database from cleaning up.

import type { Job } from '../job/job.ts';
import type { Queue } from '../queue/queue.ts';
import type { ListQuery } from '../store/store.ts';

const PAGE_SIZE = 1000;
/** Default limit of a list, plus one to detect that there are more. */
const READ_AT_ONCE = PAGE_SIZE + 1;

export interface JobPage {
  readonly jobs: readonly Job[];
  /** True if this is the only page. */
  readonly isAll: boolean;
}

/** Yields at least one page, which may be empty. */
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
