// The queue in numbers. They come from counters, so they cost the same whatever the number of jobs.

import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { noCounts, oldestPending } from '../sql/overview.ts';
import type { Row } from '../rows/rows.ts';
import type { Overview, QueueCounts } from '../store.ts';
import { dueAt, NEXT_DUE_AT } from './claim.ts';
import type { Connection } from './session/connection.ts';
import { COUNTS, WORTH_FOLDING } from './counters.ts';
import { now } from './rows.ts';

const QUEUES = `
  SELECT c.queue, json_object_agg(c.state, c.n) AS counts, (${oldestPending('c.queue', now('$1'))}) AS oldest
  FROM (${COUNTS}) c GROUP BY c.queue ORDER BY c.queue`;

export interface Seen {
  readonly overview: Overview;
  /** Whether so many differences were summed that folding them is worth it. */
  readonly isLong: boolean;
}

export function overview(connection: Connection): Promise<Seen> {
  return connection.read(async (session) => {
    const [queues, rest] = await Promise.all([
      session.sql(QUEUES, [connection.givenNow]),
      session.sql(`
        SELECT ${dueAt(TRANSITIONS.fail.to)} AS next_retry_at, ${NEXT_DUE_AT} AS next_due_at,
          (SELECT count(*) FROM counters) > ${WORTH_FOLDING} AS is_long`),
    ]);
    const row = rest.rows[0] ?? {};
    return {
      overview: {
        queues: queues.rows.map(countsOf),
        nextRetryAt: row.next_retry_at as number | null,
        nextDueAt: row.next_due_at as number | null,
      },
      isLong: row.is_long as boolean,
    };
  });
}

const countsOf = (row: Row): QueueCounts => ({
  queue: String(row.queue),
  counts: { ...noCounts(), ...(row.counts as Partial<Record<JobState, number>>) },
  oldestPendingAt: row.oldest as number | null,
});

const DATABASE_BYTES = `
  SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint AS n FROM pg_class
  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r'`;

export async function databaseBytes(connection: Connection): Promise<number> {
  const { rows } = await connection.query(DATABASE_BYTES, [connection.target.schema]);
  return Number(rows[0]?.n);
}
