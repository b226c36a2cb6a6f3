// Errors for invalid schedules: one sentence and a suggestion.

import { QueueError } from '../errors/errors.ts';

export const invalid = (problem: string, hint = ''): QueueError =>
  new QueueError('invalid_schedule', { problem, hint });

/** Quotes user input, shortened and without control characters. */
export function quote(value: string): string {
  const shown = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return `'${shown.replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}')}'`;
}
