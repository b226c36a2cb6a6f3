// Settings of named queues: paused, draining and limits.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import { IS_LIMITED, LIMIT_COLUMNS, limitOf, limitValues } from '../rows/limit-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { Connection } from './connection.ts';

export const queueLimits = (connection: Connection): QueueLimit[] =>
  (connection.sql(`SELECT ${LIMIT_COLUMNS} FROM queue_limits WHERE ${IS_LIMITED} ORDER BY queue`).all() as Row[]).map(
    limitOf,
  );

const SAVE = `
  INSERT INTO queue_limits (${LIMIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET paused_at = excluded.paused_at, draining_at = excluded.draining_at,
    concurrency = excluded.concurrency, rate_per_second = excluded.rate_per_second, burst = excluded.burst,
    not_before = excluded.not_before`;

export function saveLimit(connection: Connection, limit: QueueLimit): void {
  connection.sql(SAVE).run(...limitValues(limit));
}
