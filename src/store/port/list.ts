// Many jobs at once, by filter, in an order.

import type { Job, JobState } from '../../job/job.ts';

export interface JobLists {
  list(query: ListQuery): Promise<Job[]>;
  /** The ids that list() would answer, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]>;
}

export const SORTS = [
  'created', 'updated', 'priority', 'next_run', 'finished', 'duration', 'attempts',
] as const; // biome-ignore format: a list of words
export type Sort = (typeof SORTS)[number];

/** A job matches if it meets all that is given. What each filter compares is described in src/store/job-filter.ts. */
export interface JobFilter {
  readonly states?: readonly JobState[] | undefined;
  readonly queue?: string | undefined;
  readonly search?: string | undefined;
}

export interface ListQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  /** null: all of them. */
  readonly limit: number | null;
}
