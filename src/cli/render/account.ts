// Users, tokens and the audit log as tables.

import type { Answer } from '../../library/caller.ts';
import type { RecordedActivity } from '../../store/store.ts';
import type { Screen } from '../terminal.ts';
import { dateTime, fromNow } from './kit/human.ts';
import { tableOf } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

type User = Answer<'listUsers'>['users'][number];
type Token = Answer<'listTokens'>['tokens'][number];
export const userTable = (users: readonly User[], now: number, screen: Screen): string =>
  tableOf(
    users,
    [
      { title: 'name', cell: ({ name }) => name },
      { title: 'role', cell: ({ role }) => role },
      { title: 'added', spare: 1, cell: ({ created_at }) => ago(created_at, now) },
      { title: 'by', gives: true, spare: 2, cell: ({ created_by }) => oneLine(created_by) },
    ],
    screen,
  );

export const tokenTable = (tokens: readonly Token[], now: number, screen: Screen): string =>
  tableOf(
    tokens,
    [
      { title: 'id', cell: ({ id }) => id },
      { title: 'name', cell: ({ name }) => name },
      { title: 'role', cell: ({ role }) => role },
      { title: 'expires', cell: (token) => expiry(token, now, screen.style) },
      { title: 'last used', cell: ({ last_used_at }) => ago(last_used_at, now) },
      { title: 'added', spare: 1, cell: ({ created_at }) => ago(created_at, now) },
      { title: 'by', gives: true, spare: 2, cell: ({ created_by }) => oneLine(created_by) },
    ],
    screen,
  );

const ago = (time: string | null, now: number): string => (time === null ? 'never' : fromNow(Date.parse(time), now));

function expiry({ expires_at }: Token, now: number, style: Screen['style']): string {
  if (expires_at === null) return 'never';
  const at = Date.parse(expires_at);
  return at > now ? fromNow(at, now) : style.bad('expired');
}

export const activityTable = (entries: readonly RecordedActivity[], screen: Screen): string =>
  tableOf(
    entries,
    [
      { title: 'when', cell: ({ at }) => dateTime(at) },
      { title: 'who', gives: true, cell: ({ actor }) => oneLine(actor) },
      { title: 'via', spare: 1, cell: ({ via }) => via },
      { title: 'what', cell: ({ action }) => oneLine(action) },
      { title: 'to', gives: true, cell: ({ target }) => oneLine(target ?? '') },
      { title: 'detail', gives: true, spare: 2, cell: ({ detail }) => oneLine(detailText(detail)) },
    ],
    screen,
  );

const detailText = (detail: RecordedActivity['detail']): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
