// Formats a filter as text that parseFilter() reads back to the same filter, for requests to a server.

import { FIELD_FILTER_NAMES } from '../job/fields/filtered.ts';
import type { JobFilter, OneOf } from '../store/port/list.ts';

/** `now` is the time at which the server parses it. */
export function filterText(filter: JobFilter, now: number): string {
  const { states, held, search, before, since, and = [] } = filter;
  const plain = FIELD_FILTER_NAMES.map((name) => wordOf(name === 'fingerprint' ? 'error' : name, filter[name]));
  return [
    wordOf('state', states),
    ...plain,
    held === undefined ? '' : `held:${held ? 'yes' : 'no'}`,
    ...listOf(search).map(quoted),
    before === undefined ? '' : `older:${ago(before, now)}`,
    since === undefined ? '' : `newer:${ago(since, now)}`,
    ...and.map((other) => filterText(other, now)),
  ]
    .filter((word) => word !== '')
    .join(' ');
}

const listOf = (values: OneOf | undefined): readonly string[] =>
  values === undefined ? [] : typeof values === 'string' ? [values] : values;

const wordOf = (field: string, values: OneOf | undefined): string =>
  values === undefined ? '' : `${field}:${listOf(values).map(quoted).join(',')}`;

const quoted = (value: string): string =>
  /^[\w.-]+$/.test(value) && value !== '' ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

const ago = (at: number, now: number): string => `${Math.max(0, now - at) / 1000}s`;
