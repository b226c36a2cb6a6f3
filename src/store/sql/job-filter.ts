// Which jobs match a filter. The stores generate SQL from the conditions.

import { FILTERS, type FilterName, type FilterRule } from './filters.ts';
import { quoted } from '../rows/rows.ts';
import type { JobFilter, ListQuery } from '../store.ts';

/** A filter and its values, of which one must match. */
export interface Condition extends FilterRule {
  readonly values: readonly (string | number | boolean)[];
}

/** Returns the conditions that a job must meet. An empty search text is no condition. */
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

/** True if the counters can count the matching jobs: they have the column of every given filter. */
export const isCounted = (filter: JobFilter): boolean => conditionsOf(filter).every((condition) => condition.isCounted);

/** True if a row of the counters belongs to matching jobs. Only for filters that the counters have. */
export const isAmong = (filter: JobFilter, counter: Readonly<Record<'queue' | 'state', string>>): boolean =>
  conditionsOf(filter).every(({ columns: [column], values }) =>
    values.includes((counter as Readonly<Record<string, string>>)[column] ?? ''),
  );

/**
 * True if the list consists of the newest or oldest jobs of some states and queues. An index has them at its ends, and
 * the counters name these states and queues. Filters without counters would be ignored there.
 */
export const isNewestPerState = (query: ListQuery): boolean =>
  query.sort === 'created' && query.limit !== null && isCounted(query);

/** True if the filter, or a nested one, contains this condition. */
export const isAskingFor = (filter: JobFilter, name: FilterName): boolean =>
  filter[name] !== undefined || (filter.and ?? []).some((one) => isAskingFor(one, name));

/** For fixed words, never for user input. Compares a single word with =, like the conditions of partial indexes. */
export const isOneWord = (column: string, words: readonly string[]): string =>
  words.length === 1 ? `${column} = ${quoted(words)}` : `${column} IN (${quoted(words.length === 0 ? [''] : words)})`;

/** Returns a pattern for LIKE, escaped with backslashes. */
export const patternOf = (text: unknown): string => `%${String(text).replace(/[\\%_]/g, '\\$&')}%`;

/** IDs are ASCII, so '~' sorts after every ID with this prefix. */
export const endOfPrefix = (prefix: string): string => `${prefix}~`;
