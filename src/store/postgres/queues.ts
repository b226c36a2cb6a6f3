// The settings of named queues: whether they are paused, and how much of them may run.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { IS_LIMITED, LIMIT_COLUMNS, limitOf } from '../rows/limit-rows.ts';
import type { Session } from './session/connection.ts';

const ALL = `SELECT ${LIMIT_COLUMNS} FROM queue_limits WHERE ${IS_LIMITED} ORDER BY queue`;

export async function queueLimits(session: Pick<Session, 'sql'>): Promise<QueueLimit[]> {
  return (await session.sql(ALL)).rows.map(limitOf);
}

const DRAINING = 'SELECT queue FROM queue_limits WHERE draining_at IS NOT NULL';

/** Asked before every job that comes in. */
export const drainingQueues = async (session: Pick<Session, 'sql'>): Promise<string[]> =>
  (await session.sql(DRAINING)).rows.map(({ queue }) => String(queue));
