// Tallies are appended in the transaction that they count. A transaction that appends to a long list folds it too, so
// that the list stays short without a separate process.

import { Tallies } from '../../series/tallies.ts';
import type { Connection } from './connection.ts';
import { foldTallies } from './database.ts';

/** At this number, folding is worth a transaction, and reading takes a few milliseconds. */
const WORTH_FOLDING = 2000;

const APPEND = 'INSERT INTO tallies (counted_at, queue, tally) VALUES (?, ?, ?)';

/** Runs in the transaction whose work is counted. */
export function tally(connection: Connection, tallies: Tallies, now: number): void {
  for (const [queue, text] of tallies.texts()) {
    const { lastInsertRowid } = connection.sql(APPEND).run(now, queue, text);
    if (Number(lastInsertRowid) >= WORTH_FOLDING) foldTallies(connection); // numbers restart when the list is empty
  }
}

/** Counts new jobs by queue. */
export const tallyEnqueued = (connection: Connection, queues: ReadonlyMap<string, number>, now: number): void =>
  tally(connection, Tallies.ofEnqueued(queues), now);
