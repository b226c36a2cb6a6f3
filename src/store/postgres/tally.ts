// Tallies are appended in the transaction that they count, and are sent with its commit.

import { Tallies } from '../../series/tallies.ts';
import type { Session } from './session/connection.ts';
import { columnsOf, now } from './rows.ts';

const APPEND = `
  INSERT INTO tallies (counted_at, queue, tally)
  SELECT ${now('$1')}, queue, tally FROM unnest($2::text[], $3::text[]) AS given (queue, tally)`;

/** Called in the transaction whose work is counted. */
export function tally(session: Session, tallies: Tallies, time: number | null): void {
  if (tallies.isEmpty) return;
  session.send(APPEND, [time, ...columnsOf(tallies.texts(), 2)]);
}

/** Counts new jobs of these queues. */
export const tallyEnqueued = (session: Session, queues: ReadonlyMap<string, number>, time: number | null): void =>
  tally(session, Tallies.ofEnqueued(queues), time);
