// Jobs by filters and ids, read through a server.

import { filterText } from '../filter/filter-text.ts';
import type { Job } from '../job/job.ts';
import type { JobPage } from '../report/job-pages.ts';
import type { JobFilter, ListQuery } from '../store/store.ts';
import { jobFrom } from './from-wire.ts';
import type { RemoteCaller } from './remote-caller.ts';

const PAGE_SIZE = 1000;
/** A filter is a part of an address, which cannot be long. */
const IDS_AT_ONCE = 100;

/** At least one page, which may be empty. */
export async function* pagesOf(caller: RemoteCaller, query: ListQuery): AsyncGenerator<JobPage> {
  const { sort, descending, limit, ...filter } = query;
  const asked = { filter: filterText(filter, Date.now()), sort: descending ? (`-${sort}` as const) : sort };
  let left = limit ?? Number.POSITIVE_INFINITY;
  for (let after: string | undefined; ; ) {
    const page = await caller.call('listJobs', { ...asked, limit: Math.min(left, PAGE_SIZE), after });
    left -= page.jobs.length;
    const isLast = page.next === null || left <= 0;
    const isEmpty = page.jobs.length === 0 && !isLast; // it looked for some time and found none
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

/** In the order of the ids; those that are gone or do not match are left out. */
export async function jobsOf(
  caller: RemoteCaller,
  ids: readonly string[],
  filter: JobFilter,
): Promise<Job[]> {
  const found = new Map<string, Job>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const query = { id: some, and: [filter], sort: 'created', descending: false, limit: null } as const;
    for (const job of await listOf(caller, query)) found.set(job.id, job); // ids that only begin alike, too
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}
