// Repairs failed jobs whose last attempt ended in the future, because a clock was set back: their backoff restarts now.

import { TRANSITIONS } from '../../job/lifecycle.ts';
import { type Database, REPEATABLE, rowsOf, run } from '../sql/database.ts';
import { WAITING } from '../sql/due.ts';
import { literal, raw, type Sql, sql } from '../sql/statement.ts';

/** Clock differences up to this are normal. */
const TOLERATED_MS = 1000;
const REPAIR_AT_ONCE = 1000;

const WAITING_TO_RETRY = raw(`${WAITING} AND state = '${TRANSITIONS.fail.to}'`);

const endedInFuture = (now: Sql): Sql => sql`updated_at > ${now} + ${literal(TOLERATED_MS)}`;

/** Checks the jobs with the latest start times, because an end in the future leads to the longest waits. */
const seqsFromFuture = (now: Sql): Sql => sql`
  SELECT seq FROM (
    SELECT seq, updated_at FROM jobs WHERE ${WAITING_TO_RETRY}
    ORDER BY next_run_at DESC LIMIT ${literal(REPAIR_AT_ONCE)}) waiting
  WHERE ${endedInFuture(now)}`;

/** Checks without a lock first, because there is rarely anything to repair. */
export async function repairBackoffs(database: Database): Promise<number> {
  const { dialect } = database;
  if ((await database.rows(sql`${seqsFromFuture(database.now())} LIMIT 1`)).length === 0) return 0;
  return database.write(
    function* () {
      const now = database.now();
      // Another process may have claimed or cancelled the job before the lock, so the state is compared again.
      const isStillAhead = sql`${WAITING_TO_RETRY} AND ${endedInFuture(now)}`;
      const ahead = yield* rowsOf(sql`
        SELECT seq FROM jobs WHERE ${dialect.isFoundBy('seq', seqsFromFuture(now))} AND ${isStillAhead}
        ORDER BY seq ${dialect.locking}`);
      const seqs = ahead.map(({ seq }) => Number(seq));
      const repaired = yield* run(sql`
        UPDATE jobs SET next_run_at = ${now} + next_run_at - updated_at, updated_at = ${now}
        WHERE ${dialect.isAmong('seq', 'bigint', seqs)}`);
      return repaired.count;
    },
    { ...REPEATABLE, wakes: true },
  );
}
