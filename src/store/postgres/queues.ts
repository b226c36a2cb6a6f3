// The settings of named queues: whether they are paused, and how much of them may run.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { changedLimit, IS_LIMITED, LIMIT_COLUMNS, limitOf, limitValues } from '../rows/limit-rows.ts';
import type { QueueChange } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { tellAll } from './wake.ts';

const ALL = `SELECT ${LIMIT_COLUMNS} FROM queue_limits WHERE ${IS_LIMITED} ORDER BY queue`;

export async function queueLimits(session: Pick<Session, 'sql'>): Promise<QueueLimit[]> {
  return (await session.sql(ALL)).rows.map(limitOf);
}

const DRAINING = 'SELECT queue FROM queue_limits WHERE draining_at IS NOT NULL';

/** Asked before every job that comes in. */
export const drainingQueues = async (session: Pick<Session, 'sql'>): Promise<string[]> =>
  (await session.sql(DRAINING)).rows.map(({ queue }) => String(queue));

const LOCK = 'LOCK TABLE queue_limits IN SHARE ROW EXCLUSIVE MODE';
const SAVE = `
  INSERT INTO queue_limits (${LIMIT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (queue) DO UPDATE SET paused_at = excluded.paused_at, draining_at = excluded.draining_at,
    concurrency = excluded.concurrency, rate_per_second = excluded.rate_per_second, burst = excluded.burst,
    not_before = excluded.not_before`;

const FORGET = `DELETE FROM queue_limits WHERE queue = $1 AND hooks IS NULL AND NOT ${IS_LIMITED}`;

/** One at a time: what is not given stays as it is. */
export function limitQueue(connection: Connection, queue: string, change: QueueChange): Promise<QueueLimit> {
  return connection.write(
    async (session) => {
      await session.sql(LOCK);
      const found = (await queueLimits(session)).find((limit) => limit.queue === queue);
      const limit = changedLimit(queue, found, change);
      await session.sql(SAVE, limitValues(limit));
      await session.sql(FORGET, [queue]);
      tellAll(connection, session);
      return limit;
    },
    { isRepeatable: true },
  );
}
