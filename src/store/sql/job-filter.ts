// Which jobs match a filter; the stores make their SQL from what filters.ts says of each.

import { FILTERS, type FilterName, type FilterRule } from './filters.ts';
import { quoted } from '../rows/rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';

/** A filter that was given, and what for: a match with one of the values will do. */
export interface Condition extends FilterRule {
  readonly values: readonly (string | number | boolean)[];
}

/** The conditions that a job must meet, all of them. To look for an empty text is to look for nothing special. */
export function conditionsOf(filter: JobFilter): Condition[] {
  const names = Object.keys(FILTERS) as FilterName[];
  const own = names.flatMap((name) => {
    const values = [filter[name] ?? []].flat();
    const rule = FILTERS[name];
    const isAsked = filter[name] !== undefined && !(rule.compares === 'contains' && values.includes(''));
    return isAsked ? { ...rule, values } : [];
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
