// Reads jobs by filter and by ID over HTTP.

import { filterText } from '../filter/filter-text.ts';
import type { Job } from '../job/job.ts';
import type { JobPage } from '../report/job-pages.ts';
import type { JobFilter, ListQuery } from '../store/store.ts';
import { jobFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const PAGE_SIZE = 1000;
/** The filter is part of the URL, whose length is limited. */
const IDS_AT_ONCE = 100;

/** Yields at least one page, which may be empty. */
export async function* pagesOf(caller: RemoteCaller, query: ListQuery): AsyncGenerator<JobPage> {
  const { sort, descending, limit, ...filter } = query;
  const asked = { filter: filterText(filter, Date.now()), sort: descending ? (`-${sort}` as const) : sort };
  let left = limit ?? Number.POSITIVE_INFINITY;
  for (let after: string | undefined; ; ) {
    const page = await caller.call('listJobs', { ...asked, limit: Math.min(left, PAGE_SIZE), after });
    left -= page.jobs.length;
    const isLast = page.next === null || left <= 0;
    const isEmpty = page.jobs.length === 0 && !isLast; // the server found no job within its time limit
    if (!isEmpty) yield { jobs: page.jobs.map(jobFrom), isAll: isLast && after === undefined };
    if (page.next === null || isLast) return;
    after = page.next;
  }
}

export async function listOf(caller: RemoteCaller, query: ListQuery): Promise<Job[]> {
  const found: Job[] = [];
  for await (const { jobs } of pagesOf(caller, query)) found.push(...jobs);
  return found;
}

/** Returns jobs in the order of the IDs, without those that are deleted or do not match. */
export async function jobsOf(caller: RemoteCaller, ids: readonly string[], filter: JobFilter): Promise<Job[]> {
  const found = new Map<string, Job>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const query = { id: some, and: [filter], sort: 'created', descending: false, limit: null } as const;
    for (const job of await listOf(caller, query)) found.set(job.id, job); // may include other jobs whose IDs start alike
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
