// Tallies are appended in the transaction that they count. One that appends to a long list folds it, in the same
// transaction, so that it stays short without anybody looking after it.

import { Tallies } from '../../series/tallies.ts';
import type { Connection } from './connection.ts';
import { foldTallies } from './database.ts';

/** So many that folding them is worth a transaction, and reading them takes a few milliseconds. */
const WORTH_FOLDING = 2000;

const APPEND = 'INSERT INTO tallies (counted_at, queue, tally) VALUES (?, ?, ?)';

/** Within the transaction that did what is counted. */
export function tally(connection: Connection, tallies: Tallies, now: number): void {
  for (const [queue, text] of tallies.texts()) {
    const { lastInsertRowid } = connection.sql(APPEND).run(now, queue, text);
    if (Number(lastInsertRowid) >= WORTH_FOLDING) foldTallies(connection); // numbers start over when the list is empty
  }
}

/** Jobs of these queues came in. */
export const tallyEnqueued = (
  connection: Connection,
  queues: ReadonlyMap<string, number>,
  now: number,
): void => tally(connection, Tallies.ofEnqueued(queues), now);
