// Lists of jobs, filtered and sorted.

import type { FieldFilterName } from '../../job/fields/filtered.ts';
import type { Job, JobState } from '../../job/job.ts';

export interface JobLists {
  list(query: ListQuery): Promise<Job[]>;
  /**
   * Returns the IDs of the jobs that list() would return, in the same order. Use it to read more jobs than fit into
   * memory.
   */
  idsOf(query: ListQuery): Promise<string[]>;
  /** Returns the jobs of list() page by page, for any number of jobs. */
  page(query: PageQuery): Promise<JobPage>;
  /**
   * Counts the matching jobs among the next `lookAt` jobs after `after`, newest first. Null starts at the newest job.
   */
  countSome(filter: JobFilter, lookAt: number, after: number | null): Promise<CountedSome>;
}

export const SORTS = [
  'created', 'updated', 'priority', 'next_run', 'finished', 'duration', 'attempts',
] as const; // biome-ignore format: a list of words
export type Sort = (typeof SORTS)[number];

/** Matches any of these values. */
export type OneOf = string | readonly string[];

type FieldFilters = { readonly [K in FieldFilterName]?: OneOf | undefined };

/** A job must match every field that is set. src/store/sql/filters.ts describes how each field compares. */
export interface JobFilter extends FieldFilters {
  readonly states?: readonly JobState[] | undefined;
  /** True for jobs that a user holds. */
  readonly held?: boolean | undefined;
  /** A text in the ID, the command or the last error. */
  readonly search?: OneOf | undefined;
  /** Matches jobs that finished before this time, or were created before it if they are unfinished. */
  readonly before?: number | undefined;
  /** Matches jobs that finished at this time or later, or were created then if they are unfinished. */
  readonly since?: number | undefined;
  /** Additional filters that must match too. */
  readonly and?: readonly JobFilter[] | undefined;
}

export interface ListQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  /** Null for no limit. */
  readonly limit: number | null;
}

/** End of a page: the sort value and the seq of its last job. */
export interface PageEnd {
  /** Always null if sorted by creation. */
  readonly value: number | null;
  readonly seq: number;
}

export interface PageQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly limit: number;
  /**
   * Maximum number of jobs to examine. Applies if sorted by creation: conditions without an index are compared job by
   * job, so this bounds the cost of a page. Other sort orders examine every job.
   */
  readonly lookAt: number;
  /** End of the previous page; null for the first page. */
  readonly after: PageEnd | null;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  readonly lookedAt: number;
  /** Start of the next page, which may follow a page that is not full; null after the last page. */
  readonly next: PageEnd | null;
}

export interface CountedSome {
  readonly count: number;
  readonly lookedAt: number;
  /** Start of the next call; null at the end. */
  readonly next: number | null;
}
