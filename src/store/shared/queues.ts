// Settings of named queues: paused, draining and limits.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import type { QueueChange } from '../port/queues.ts';
import { changedLimit, IS_LIMITED, LIMIT_COLUMNS, limitOf, limitValues } from '../rows/limit-rows.ts';
import { type Database, REPEATABLE, rowsOf, run, runAll } from '../sql/database.ts';
import { insertInto, orUpdate, raw, type Sql, sql } from '../sql/statement.ts';

const LIMITS = raw(`SELECT ${LIMIT_COLUMNS} FROM queue_limits WHERE ${IS_LIMITED}`);

export const queueLimits = async (database: Database): Promise<QueueLimit[]> =>
  (await database.rows(sql`${LIMITS} ORDER BY queue`)).map(limitOf);

/** Changes the given limits and keeps the others. Locks the table, so that concurrent changes are not lost. */
export const limitQueue = (database: Database, queue: string, change: QueueChange): Promise<QueueLimit> =>
  database.write(
    function* () {
      yield* runAll(database.dialect.lockTable('queue_limits'));
      const [found] = yield* rowsOf(sql`${LIMITS} AND queue = ${queue}`);
      const limit = changedLimit(queue, found && limitOf(found), change);
      yield* run(saved(limit));
      // Rows without limits are only needed for their hooks.
      yield* run(sql`DELETE FROM queue_limits WHERE queue = ${queue} AND hooks IS NULL AND NOT ${raw(IS_LIMITED)}`);
      return limit;
    },
    { ...REPEATABLE, wakes: true },
  );

const [, ...LIMITING] = LIMIT_COLUMNS.split(', ');

const saved = (limit: QueueLimit): Sql =>
  orUpdate(insertInto('queue_limits', LIMIT_COLUMNS, limitValues(limit)), 'queue', LIMITING);
