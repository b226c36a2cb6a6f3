// The queue in numbers. They come from counters, so they cost the same whatever the number of jobs.

import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { noCounts, oldestPending } from '../sql/overview.ts';
import type { Overview, QueueCounts } from '../store.ts';
import { nextDueAt } from './glance.ts';
import type { Connection } from './connection.ts';

export function overview(connection: Connection, now: number): Overview {
  const queues = new Map<string, Record<JobState, number>>();
  for (const row of connection.sql('SELECT queue, state, n FROM counters WHERE n > 0 ORDER BY queue').all()) {
    const counts = queues.get(String(row.queue)) ?? noCounts();
    counts[row.state as JobState] = Number(row.n);
    queues.set(String(row.queue), counts);
  }
  return {
    queues: [...queues].map(([queue, counts]): QueueCounts => {
      return { queue, counts, oldestPendingAt: oldestPendingAt(connection, queue, now) };
    }),
    nextRetryAt: nextDueAt(connection, [TRANSITIONS.fail.to]),
    nextDueAt: nextDueAt(connection),
  };
}

export const databaseBytes = (connection: Connection): number =>
  Number(
    connection.sql('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size').get()?.n,
  );

const OLDEST_PENDING = oldestPending('$queue', '$now');

function oldestPendingAt(connection: Connection, queue: string, now: number): number | null {
  const row = connection.sql(OLDEST_PENDING).get({ $queue: queue, $now: now });
  return (row?.at as number | null | undefined) ?? null;
}
