// Tallies are appended in the transaction that they count, and travel with its commit.

import { Tallies } from '../../series/tallies.ts';
import type { Session } from './session/connection.ts';
import { columnsOf, now } from './rows.ts';

const APPEND = `
  INSERT INTO tallies (counted_at, queue, tally)
  SELECT ${now('$1')}, queue, tally FROM unnest($2::text[], $3::text[]) AS given (queue, tally)`;

/** Within the transaction that did what is counted. */
export function tally(session: Session, tallies: Tallies, time: number | null): void {
  if (tallies.isEmpty) return;
  session.tell(APPEND, [time, ...columnsOf(tallies.texts(), 2)]);
}

/** Jobs of these queues came in. */
export const tallyEnqueued = (
  session: Session,
  queues: ReadonlyMap<string, number>,
  time: number | null,
): void => tally(session, Tallies.ofEnqueued(queues), time);
