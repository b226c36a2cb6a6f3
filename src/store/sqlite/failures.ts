// Maps SQLite's result codes to errors.

import { type ErrorCode, QueueError } from '../../errors/errors.ts';

const BUSY = 5;
const LOCKED = 6;
const CONSTRAINT = 19;
/** IOERR_SHMSIZE: no space for the index of the write-ahead log, which the first connection creates. */
const NO_ROOM_FOR_INDEX = 10 | (19 << 8);

const meanings: Record<number, ErrorCode> = {
  3: 'store_read_only', // PERM
  8: 'store_read_only', // READONLY
  10: 'store_unreachable', // IOERR
  11: 'store_corrupt', // CORRUPT
  13: 'store_full', // FULL
  14: 'store_unreachable', // CANTOPEN
  23: 'store_unreachable', // AUTH
  26: 'store_not_a_database', // NOTADB
};

/** Returns the primary result code, or null if the error is not from SQLite. */
function resultCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : null;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

const isNoRoom = (error: unknown): boolean => (error as { errcode?: unknown } | null)?.errcode === NO_ROOM_FOR_INDEX;

export const isConstraint = (error: unknown): boolean => resultCode(error) === CONSTRAINT;

/** Returns the QueueError for an error of SQLite, and other errors unchanged. */
export function translate(error: unknown, path: string): unknown {
  const meaning = isNoRoom(error) ? 'store_full' : meanings[resultCode(error) ?? -1];
  if (!meaning) return error;
  return new QueueError(meaning, { path, problem: (error as Error).message }, { cause: error });
}
