// Why a schedule is refused: one sentence and what to write instead.

import { QueueError } from '../errors/errors.ts';

export const invalid = (problem: string, hint = ''): QueueError =>
  new QueueError('invalid_schedule', { problem, hint });

/** What a user wrote, short, and without characters that a terminal would obey. */
export function quote(value: string): string {
  const shown = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return `'${shown.replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}')}'`;
}
