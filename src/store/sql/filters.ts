// The filters of jobs, as data: the columns of each, how it compares, and whether the counters can answer it. A filter of JobFilter
// that is not described here does not compile.

import {
  type Comparison,
  FIELD_FILTER_NAMES,
  type FieldFilter,
  type FieldFilterName,
  fieldFilter,
} from '../../job/fields/filtered.ts';
import type { JobFilter } from '../store.ts';

export interface FilterRule {
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** Whether the table of counters has the column. */
  readonly isCounted: boolean;
}

/** What was asked for, without the filters inside it. */
export type FilterName = Exclude<keyof JobFilter, 'and'>;

/** Filters that take something other than texts, or look at several fields. */
const OTHERS: Readonly<Record<Exclude<FilterName, FieldFilterName>, FilterRule>> = {
  states: { columns: ['state'], compares: 'our word', isCounted: true },
  held: { columns: ['held'], compares: 'is set', isCounted: false },
  search: { columns: ['id', 'command', 'last_error'], compares: 'contains', isCounted: false },
  before: { columns: ['finished_at', 'created_at'], compares: 'before', isCounted: false },
  since: { columns: ['finished_at', 'created_at'], compares: 'since', isCounted: false },
};

const ruleOf = ({ columns, compares, isCounted = false }: FieldFilter): FilterRule => ({
  columns,
  compares,
  isCounted,
});

export const FILTERS: Readonly<Record<FilterName, FilterRule>> = {
  ...OTHERS,
  ...(Object.fromEntries(FIELD_FILTER_NAMES.map((name) => [name, ruleOf(fieldFilter(name))])) as Record<
    FieldFilterName,
    FilterRule
  >),
};
