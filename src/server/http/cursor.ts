// Cursors of lists, which are opaque to clients. A cursor is only valid for the same list: with another filter, order
// or queue it would silently skip jobs.

import { createHash } from 'node:crypto';
import { QueueError } from '../../errors/errors.ts';
import type { PageEnd } from '../../store/store.ts';

/** The queue and the parameters of the list. */
type CursorScope = readonly string[];

const FORMAT = /^[\w-]{11}\.(-?\d{1,15}|n)\.(\d{1,15})$/;

export const cursorOf = ({ value, seq }: PageEnd, scope: CursorScope): string =>
  Buffer.from(`${sealOf(scope)}.${value ?? 'n'}.${seq}`).toString('base64url');

/** Throws invalid_cursor. */
export function readCursor(cursor: string, scope: CursorScope): PageEnd {
  const [, value, seq] = FORMAT.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const end = { value: value === 'n' ? null : Number(value), seq: Number(seq) };
  if (cursorOf(end, scope) !== cursor) throw new QueueError('invalid_cursor');
  return end;
}

const sealOf = (scope: CursorScope): string =>
  createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 11);
