// Job counts, read from counters, so that the cost does not depend on the number of jobs.

import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { CLAIMABLE_STATES } from '../../job/state-sets.ts';
import type { Overview } from '../port/overview.ts';
import { type Database, runAll } from '../sql/database.ts';
import { WAITING } from '../sql/due.ts';
import { noCounts } from '../sql/overview.ts';
import { join, literal, raw, type Sql, sql } from '../sql/statement.ts';

export function overview(database: Database): Promise<Overview> {
  const { counts } = database.dialect;
  const queues = sql`SELECT DISTINCT queue FROM (${counts}) counted`;
  return database.read(function* () {
    const [counters, oldest, due] = yield* runAll([
      sql`${counts} ORDER BY queue`,
      sql`SELECT q.queue, (${oldestPending('q.queue', database.now())}) AS at FROM (${queues}) q`,
      raw(`SELECT ${CLAIMABLE_STATES.map((state) => `${nextDueIn(state)} AS ${state}`).join(', ')}`),
    ]);
    const oldestAt = new Map(oldest?.rows.map(({ queue, at }) => [queue, at as number | null]));
    const byQueue = Map.groupBy(counters?.rows ?? [], ({ queue }) => String(queue));
    const dueAt = (due?.rows[0] ?? {}) as Partial<Record<JobState, number | null>>;
    return {
      queues: [...byQueue].map(([queue, rows]) => ({
        queue,
        counts: { ...noCounts(), ...Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)])) },
        oldestPendingAt: oldestAt.get(queue) ?? null,
      })),
      nextRetryAt: dueAt[TRANSITIONS.fail.to] ?? null,
      nextDueAt: earliest(Object.values(dueAt)),
    };
  });
}

const nextDueIn = (state: JobState): string =>
  `(SELECT next_run_at FROM jobs WHERE ${WAITING} AND state = '${state}' ORDER BY next_run_at LIMIT 1)`;

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Number of jobs to check for the oldest one: enough to be accurate, and cheap. */
const LOOK_AT = 500;

/**
 * Returns since when the longest waiting job of a queue could have started. Checks only the oldest jobs and the next
 * jobs to run, so it may miss the oldest one among very many scheduled or held jobs.
 */
function oldestPending(queue: string, now: Sql): Sql {
  const few = (where: string, order: string, name: string): Sql => sql`
    SELECT * FROM (SELECT next_run_at, held FROM jobs WHERE ${raw(where)} AND queue = ${raw(queue)}
      ORDER BY ${raw(order)} LIMIT ${literal(LOOK_AT)}) ${raw(name)}_jobs`;
  const firstIn = CLAIMABLE_STATES.map((state) => few(`state = '${state}'`, 'seq', state));
  const nextToRun = few('ready = 1', 'priority DESC, seq', 'ready');
  return sql`
    SELECT min(next_run_at) AS at FROM (${join([...firstIn, nextToRun], ' UNION ALL ')}) waiting
    WHERE held IS NULL AND next_run_at <= ${now}`;
}
