// Failed jobs that would wait too long because a clock was set back: their delay counts from now.

import { repairFrom, seqsFromFuture } from '../sql/repair-backoffs.ts';
import type { Connection } from './connection.ts';

const FROM_FUTURE = seqsFromFuture('$now');
const IS_ANY_FROM_FUTURE = `${FROM_FUTURE} LIMIT 1`;
const REPAIR = `${repairFrom('$now')} WHERE seq IN (${FROM_FUTURE})`;

/** Looks without a lock first: there is rarely anything to repair. */
export async function repairBackoffs(connection: Connection, clock: () => number): Promise<number> {
  const found = await connection.read(() => connection.sql(IS_ANY_FROM_FUTURE).get({ $now: clock() }));
  if (found === undefined) return 0;
  return connection.write(() => Number(connection.sql(REPAIR).run({ $now: clock() }).changes));
}
