// A job's result: one JSON text, small enough for the store. It is stored verbatim, because parsing and rewriting it
// would change large numbers.

import { QueueError } from '../../errors/errors.ts';

export const RESULT_MAX_BYTES = 65_536;

/** Returns what is wrong with the result, or null if it is valid. */
export function problemOfResult(text: string): string | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > RESULT_MAX_BYTES) return tooLarge(bytes);
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `invalid JSON: ${(error as Error).message}`;
  }
}

export const tooLarge = (bytes: number): string => `${bytes} bytes is more than the limit of ${RESULT_MAX_BYTES}`;

/** Returns the text to store, or throws. */
export function checkedResult(text: string): string {
  const problem = problemOfResult(text.trim());
  if (problem !== null) throw new QueueError('invalid_result', { problem });
  return text.trim();
}
