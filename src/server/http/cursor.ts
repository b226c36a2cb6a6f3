// Where a list goes on, as clients see it: a word that means nothing to them. It holds for the list it came from alone, with
// the same filter, order and queue; anywhere else it would silently leave jobs out.

import { createHash } from 'node:crypto';
import { QueueError } from '../../errors/errors.ts';
import type { PageEnd } from '../../store/store.ts';

/** What the list was asked for, and of which queue. */
export type CursorScope = readonly string[];

const FORMAT = /^[\w-]{11}\.(-?\d{1,15}|n)\.(\d{1,15})$/;

export const cursorOf = ({ value, seq }: PageEnd, scope: CursorScope): string =>
  Buffer.from(`${sealOf(scope)}.${value ?? 'n'}.${seq}`).toString('base64url');

/** Else invalid_cursor. */
export function readCursor(cursor: string, scope: CursorScope): PageEnd {
  const [, value, seq] = FORMAT.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const end = { value: value === 'n' ? null : Number(value), seq: Number(seq) };
  if (cursorOf(end, scope) !== cursor) throw new QueueError('invalid_cursor');
  return end;
}

const sealOf = (scope: CursorScope): string =>
  createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 11);
