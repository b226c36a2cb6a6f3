// The filters of jobs, as data: the columns of each, how it compares, and whether the counters can answer it. One of JobFilter
// that is not described here does not compile.

import type { JobFilter } from '../store.ts';

/** How values are compared with columns, of which the first one that matches will do. */
export type Comparison =
  | 'one of'
  | 'our word' // the same; a word of ours is written into the SQL, or no partial index would be found by it
  | 'contains'
  | 'starts with'
  | 'tagged' // the table of tags has the seq for one of the values
  | 'is set' // true or false
  | 'before' // this and the next: the first of the columns that has a value
  | 'since';

export interface FilterRule {
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** Whether the table of counters has the column. */
  readonly isCounted: boolean;
}

/** What was asked for, without the filters inside it. */
export type FilterName = Exclude<keyof JobFilter, 'and'>;

export const FILTERS: Readonly<Record<FilterName, FilterRule>> = {
  states: { columns: ['state'], compares: 'our word', isCounted: true },
  queue: { columns: ['queue'], compares: 'one of', isCounted: true },
  group: { columns: ['group_name'], compares: 'one of', isCounted: false },
  tag: { columns: ['seq'], compares: 'tagged', isCounted: false },
  key: { columns: ['key'], compares: 'one of', isCounted: false },
  schedule: { columns: ['schedule'], compares: 'one of', isCounted: false },
  name: { columns: ['name'], compares: 'one of', isCounted: false },
  held: { columns: ['held'], compares: 'is set', isCounted: false },
  id: { columns: ['id'], compares: 'starts with', isCounted: false },
  fingerprint: { columns: ['fingerprint'], compares: 'one of', isCounted: false },
  error: { columns: ['last_error'], compares: 'contains', isCounted: false },
  search: { columns: ['id', 'command', 'last_error'], compares: 'contains', isCounted: false },
  before: { columns: ['finished_at', 'created_at'], compares: 'before', isCounted: false },
  since: { columns: ['finished_at', 'created_at'], compares: 'since', isCounted: false },
};
