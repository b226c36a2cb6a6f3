// A filter as text again: what parseFilter() makes of it is the same filter, so that it can be sent to a server.

import type { JobFilter, OneOf } from '../store/port/list.ts';

/** `now` is the time by which the other side reads it. */
export function filterText(filter: JobFilter, now: number): string {
  const { states, held, fingerprint, search, before, since, and = [], ...words } = filter;
  const plain = FIELDS.map((field) => wordOf(field, words[field]));
  return [
    wordOf('state', states),
    ...plain,
    held === undefined ? '' : `held:${held ? 'yes' : 'no'}`,
    wordOf('error', fingerprint),
    ...listOf(search).map(quoted),
    before === undefined ? '' : `older:${ago(before, now)}`,
    since === undefined ? '' : `newer:${ago(since, now)}`,
    ...and.map((other) => filterText(other, now)),
  ]
    .filter((word) => word !== '')
    .join(' ');
}

const FIELDS = ['queue', 'group', 'tag', 'key', 'schedule', 'name', 'id', 'error'] as const;

const listOf = (values: OneOf | undefined): readonly string[] =>
  values === undefined ? [] : typeof values === 'string' ? [values] : values;

const wordOf = (field: string, values: OneOf | undefined): string =>
  values === undefined ? '' : `${field}:${listOf(values).map(quoted).join(',')}`;

const quoted = (value: string): string =>
  /^[\w.-]+$/.test(value) && value !== '' ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

const ago = (at: number, now: number): string => `${Math.max(0, now - at) / 1000}s`;
