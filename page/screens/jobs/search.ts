// Loads a page of matching jobs. The server searches for a limited time per request and returns a cursor. The search
// continues until the page is full or all jobs were searched, so that an empty result is always complete.

import { signal } from '@preact/signals';
import { get } from '../../core/api.ts';
import { hrefOf } from '../../core/router.ts';
import type { Answer, Job } from '../../core/types.ts';

export type Page = Pick<Answer<'listJobs'>, 'jobs' | 'next'>;

const PAGE_SIZE = 50;

/** The number of jobs that the running search has checked; null if no search is running. */
export const searchedSoFar = signal<number | null>(null);

export async function searchPage<T>(path: string, abort: AbortSignal): Promise<T> {
  const [at = '', text = ''] = path.split('?');
  const query = Object.fromEntries(new URLSearchParams(text));
  const jobs: Job[] = [];
  let [after, searched] = [query.after ?? '', 0];
  try {
    for (;;) {
      const limit = String(PAGE_SIZE - jobs.length);
      const part = await get<Answer<'listJobs'>>(hrefOf(at, { ...query, after, limit }), abort);
      jobs.push(...part.jobs);
      if (part.searched === null || part.next === null || jobs.length >= PAGE_SIZE)
        return { jobs, next: part.next } as T;
      after = part.next;
      searched += part.searched;
      searchedSoFar.value = searched;
    }
  } finally {
    if (!abort.aborted) searchedSoFar.value = null;
  }
}
