// A page of jobs that match. The server looks for a short time at each request and returns where to go on; this goes on until
// the page is full or there are no more jobs, so that "no job matches" is never said of a part of the queue.

import { signal } from '@preact/signals';
import { get } from '../../core/api.ts';
import { hrefOf } from '../../core/router.ts';
import type { Job } from '../../core/types.ts';

export interface Page {
  readonly jobs: readonly Job[];
  readonly next: string | null;
}

interface Part extends Page {
  /** How many jobs were looked at when the time was up; null: the page is as full as it can be. */
  readonly searched: number | null;
}

export const PAGE_SIZE = 50;

/** How many jobs a search that still goes on has looked at; null: none goes on. */
export const searchedSoFar = signal<number | null>(null);

export async function searchPage<T>(path: string, abort: AbortSignal): Promise<T> {
  const [at = '', text = ''] = path.split('?');
  const query = Object.fromEntries(new URLSearchParams(text));
  const jobs: Job[] = [];
  let [after, searched] = [query.after ?? '', 0];
  try {
    for (;;) {
      const limit = String(PAGE_SIZE - jobs.length);
      const part = await get<Part>(hrefOf(at, { ...query, after, limit }), abort);
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
