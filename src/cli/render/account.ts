// Users, tokens and the audit log as tables.

import type { Answer } from '../../library/caller.ts';
import type { RecordedActivity } from '../../store/store.ts';
import type { Terminal } from '../terminal.ts';
import { dateTime, fromNow } from './kit/human.ts';
import { type Column, table } from './kit/table.ts';
import { oneLine } from './kit/text.ts';

type User = Answer<'listUsers'>['users'][number];
type Token = Answer<'listTokens'>['tokens'][number];
type Screen = Pick<Terminal, 'style' | 'width'>;

export function userTable(users: readonly User[], now: number, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: 'name' },
    { title: 'role' },
    { title: 'added', spare: 1 },
    { title: 'by', gives: true, spare: 2 },
  ];
  const rows = users.map(({ name, role, created_at, created_by }) => [
    name,
    role,
    fromNow(Date.parse(created_at), now),
    oneLine(created_by),
  ]);
  return table(columns, rows, width, style);
}

export function tokenTable(tokens: readonly Token[], now: number, { style, width }: Screen): string {
  const columns: Column[] = [
    { title: 'id' },
    { title: 'name' },
    { title: 'role' },
    { title: 'expires' },
    { title: 'last used' },
    { title: 'added', spare: 1 },
    { title: 'by', gives: true, spare: 2 },
  ];
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.role,
    expiry(token, now, style),
    token.last_used_at === null ? 'never' : fromNow(Date.parse(token.last_used_at), now),
    fromNow(Date.parse(token.created_at), now),
    oneLine(token.created_by),
  ]);
  return table(columns, rows, width, style);
}

function expiry({ expires_at }: Token, now: number, style: Screen['style']): string {
  if (expires_at === null) return 'never';
  const at = Date.parse(expires_at);
  return at > now ? fromNow(at, now) : style.bad('expired');
}

export function activityTable(entries: readonly RecordedActivity[], { style, width }: Screen): string {
  const columns: Column[] = [
    { title: 'when' },
    { title: 'who', gives: true },
    { title: 'via', spare: 1 },
    { title: 'what' },
    { title: 'to', gives: true },
    { title: 'detail', gives: true, spare: 2 },
  ];
  const rows = entries.map(({ at, actor, via, action, target, detail }) => [
    dateTime(at),
    oneLine(actor),
    via,
    oneLine(action),
    oneLine(target ?? ''),
    oneLine(detailText(detail)),
  ]);
  return table(columns, rows, width, style);
}

const detailText = (detail: RecordedActivity['detail']): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
