// Many jobs at once, by filter, in an order.

import type { FieldFilterName } from '../../job/fields/filtered.ts';
import type { Job, JobState } from '../../job/job.ts';

export interface JobLists {
  list(query: ListQuery): Promise<Job[]>;
  /** The ids that list() would answer, in its order: the way to read more jobs than fit into memory. */
  idsOf(query: ListQuery): Promise<string[]>;
  /** The jobs of list() a page at a time, however many there are. */
  page(query: PageQuery): Promise<JobPage>;
  /** How many jobs match among the newest `lookAt` that come behind `after`; null: from the newest on. */
  countSome(filter: JobFilter, lookAt: number, after: number | null): Promise<CountedSome>;
}

export const SORTS = [
  'created', 'updated', 'priority', 'next_run', 'finished', 'duration', 'attempts',
] as const; // biome-ignore format: a list of words
export type Sort = (typeof SORTS)[number];

/** One of these will do. */
export type OneOf = string | readonly string[];

type FieldFilters = { readonly [K in FieldFilterName]?: OneOf | undefined };

/** A job matches if it meets all that is given. What each filter compares is described in src/store/sql/filters.ts. */
export interface JobFilter extends FieldFilters {
  readonly states?: readonly JobState[] | undefined;
  /** Whether a person holds it back. */
  readonly held?: boolean | undefined;
  /** A text in its id, its command or its last error. */
  readonly search?: OneOf | undefined;
  /** Finished, or else created, before this time. */
  readonly before?: number | undefined;
  /** Finished, or else created, at this time or later. */
  readonly since?: number | undefined;
  /** Further filters that it has to meet as well. */
  readonly and?: readonly JobFilter[] | undefined;
}

export interface ListQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  /** null: all of them. */
  readonly limit: number | null;
}

/** Where a page ended: what the order compares of its last job, and the place of that job in the order of creation. */
export interface PageEnd {
  /** Always null in the order of creation. */
  readonly value: number | null;
  readonly seq: number;
}

export interface PageQuery extends JobFilter {
  readonly sort: Sort;
  readonly descending: boolean;
  readonly limit: number;
  /**
   * How many jobs may be looked at to find them. It holds in the order of creation: what no index has is compared job by
   * job, so a page can be had at a bounded cost. In any other order every job is looked at.
   */
  readonly lookAt: number;
  /** Where the page before it ended; null: this is the first. */
  readonly after: PageEnd | null;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  readonly lookedAt: number;
  /** Where to go on, also from a page that is not full; null: there is no more. */
  readonly next: PageEnd | null;
}

export interface CountedSome {
  readonly count: number;
  readonly lookedAt: number;
  /** Where to go on; null: there is no more. */
  readonly next: number | null;
}
