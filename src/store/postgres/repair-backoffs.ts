// Failed jobs that would wait too long because a clock was set back: their delay counts from now.

import { endedInFuture, IS_WAITING_TO_RETRY, repairFrom, seqsFromFuture } from '../sql/repair-backoffs.ts';
import type { Connection } from './session/connection.ts';
import { now } from './rows.ts';
import { tellAll } from './wake.ts';

const FROM_FUTURE = seqsFromFuture(now('$1'));
const IS_ANY_FROM_FUTURE = `${FROM_FUTURE} LIMIT 1`;

/** Once they are locked they are looked at again: somebody may have claimed or cancelled one meanwhile. */
const REPAIR = `
  WITH ahead AS (
    SELECT seq FROM jobs
    WHERE seq = ANY(ARRAY(${FROM_FUTURE})) AND ${IS_WAITING_TO_RETRY} AND ${endedInFuture(now('$1'))}
    ORDER BY seq FOR UPDATE)
  ${repairFrom(now('$1'))} WHERE seq = ANY(ARRAY(SELECT seq FROM ahead))`;

/** Looks without a lock first: there is rarely anything to repair. */
export async function repairBackoffs(connection: Connection): Promise<number> {
  const { rows } = await connection.query(IS_ANY_FROM_FUTURE, [connection.givenNow]);
  if (rows.length === 0) return 0;
  return connection.write(
    async (session) => {
      tellAll(connection, session);
      return (await session.sql(REPAIR, [connection.givenNow])).count;
    },
    { isRepeatable: true },
  );
}
