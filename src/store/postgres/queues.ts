// Named queues: their limits, and which of them have work.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { IS_LIMITED, LIMIT_COLUMNS, limitOf } from '../rows/limit-rows.ts';
import type { Session } from './session/connection.ts';

const ALL = `SELECT ${LIMIT_COLUMNS} FROM queue_limits WHERE ${IS_LIMITED} ORDER BY queue`;

export async function queueLimits(session: Pick<Session, 'sql'>): Promise<QueueLimit[]> {
  return (await session.sql(ALL)).rows.map(limitOf);
}

const DRAINING = 'SELECT queue FROM queue_limits WHERE draining_at IS NOT NULL';

/** Checked before each new job. */
export const drainingQueues = async (session: Pick<Session, 'sql'>): Promise<string[]> =>
  (await session.sql(DRAINING)).rows.map(({ queue }) => String(queue));

/** The queues that have ready jobs, found from one to the next along the index. */
export const QUEUES_WITH_READY = `
  WITH RECURSIVE found AS (
    (SELECT queue FROM jobs WHERE ready = 1 ORDER BY queue LIMIT 1)
    UNION ALL
    SELECT (SELECT queue FROM jobs WHERE ready = 1 AND queue > found.queue ORDER BY queue LIMIT 1)
    FROM found WHERE found.queue IS NOT NULL)
  SELECT queue FROM found WHERE queue IS NOT NULL`;
