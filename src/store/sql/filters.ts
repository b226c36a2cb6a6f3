// The filters of jobs as data: their columns, comparisons, and whether counters can answer them. A filter of JobFilter
// that is missing here does not compile.

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
  /** True if the table of counters has the column. */
  readonly isCounted: boolean;
}

/** The filters without the nested `and`. */
export type FilterName = Exclude<keyof JobFilter, 'and'>;

/** Filters whose values are not texts, or that compare several columns. */
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
