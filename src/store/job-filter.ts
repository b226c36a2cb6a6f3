// How jobs are filtered, as data: the columns of each filter, how it compares, and whether the counters can answer it.
// A filter of JobFilter that is not described here does not compile; the stores make their SQL from what is.

import type { JobFilter, ListQuery } from './store.ts';

export type Comparison = 'one of' | 'equals' | 'contains';

interface FilterRule {
  /** More than one: a match in any of them will do. */
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** Whether the table of counters has the column. */
  readonly isCounted: boolean;
}

export const FILTERS: Readonly<Record<keyof JobFilter, FilterRule>> = {
  states: { columns: ['state'], compares: 'one of', isCounted: true },
  queue: { columns: ['queue'], compares: 'equals', isCounted: true },
  search: { columns: ['id', 'command', 'last_error'], compares: 'contains', isCounted: false },
};

/** A filter that was given, and what for. */
export interface Condition extends FilterRule {
  readonly values: readonly string[];
}

/** The conditions that a job must meet, all of them. To look for an empty text is to look for nothing special. */
export function conditionsOf(filter: JobFilter): Condition[] {
  const names = Object.keys(FILTERS) as (keyof JobFilter)[];
  return names.flatMap((name) => {
    const value = filter[name];
    if (value === undefined || (value === '' && FILTERS[name].compares === 'contains')) return [];
    return { ...FILTERS[name], values: typeof value === 'string' ? [value] : value };
  });
}

/** Whether the counters know how many jobs match: they do if they have every filter that was given. */
export const isCounted = (filter: JobFilter): boolean =>
  conditionsOf(filter).every((condition) => condition.isCounted);

/** Whether a row of the counters is about jobs that match, for a filter that is counted. */
export const isAmong = (filter: JobFilter, counter: Readonly<Record<'queue' | 'state', string>>): boolean =>
  conditionsOf(filter).every(({ columns: [column], values }) =>
    values.includes((counter as Readonly<Record<string, string>>)[column] ?? ''),
  );

/**
 * Whether a list is made of the newest, or oldest, few of some states and queues. An index has them at its ends, and
 * the counters name those states and queues; a filter they do not have would be ignored there.
 */
export const isNewestPerState = (query: ListQuery): boolean =>
  query.sort === 'created' && query.limit !== null && isCounted(query);

/** For LIKE, with a backslash as its escape. */
export const patternOf = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
