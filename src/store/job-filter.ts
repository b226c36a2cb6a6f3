// How jobs are filtered, as data: the columns of each filter, how it compares, and whether the counters can answer it.
// A filter of JobFilter that is not described here does not compile; the stores make their SQL from what is.

import { quoted } from './rows.ts';
import type { JobFilter, ListQuery } from './store.ts';

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

interface FilterRule {
  readonly columns: readonly [string, ...string[]];
  readonly compares: Comparison;
  /** Whether the table of counters has the column. */
  readonly isCounted: boolean;
}

/** What was asked for, without the filters inside it. */
type FilterName = Exclude<keyof JobFilter, 'and'>;

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

/** A filter that was given, and what for: a match with one of the values will do. */
export interface Condition extends FilterRule {
  readonly values: readonly (string | number | boolean)[];
}

/** The conditions that a job must meet, all of them. To look for an empty text is to look for nothing special. */
export function conditionsOf(filter: JobFilter): Condition[] {
  const names = Object.keys(FILTERS) as FilterName[];
  const own = names.flatMap((name) => {
    const values = [filter[name] ?? []].flat();
    const isAsked =
      filter[name] !== undefined && !(FILTERS[name].compares === 'contains' && values.includes(''));
    return isAsked ? { ...FILTERS[name], values } : [];
  });
  return [...own, ...(filter.and ?? []).flatMap(conditionsOf)];
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

/** Whether it is asked for anywhere in the filter. */
export const isAskingFor = (filter: JobFilter, name: FilterName): boolean =>
  filter[name] !== undefined || (filter.and ?? []).some((one) => isAskingFor(one, name));

/** The words are ours, never a user's. One is compared by =, which is how partial indexes have it. */
export const isOneWord = (column: string, words: readonly string[]): string =>
  words.length === 1
    ? `${column} = ${quoted(words)}`
    : `${column} IN (${quoted(words.length === 0 ? [''] : words)})`;

/** For LIKE, with a backslash as its escape. */
export const patternOf = (text: unknown): string => `%${String(text).replace(/[\\%_]/g, '\\$&')}%`;

/** Ids are ASCII, so '~' sorts after every one that starts like this. */
export const endOfPrefix = (prefix: string): string => `${prefix}~`;
