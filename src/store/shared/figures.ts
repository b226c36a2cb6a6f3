// Data for `queuectl metrics`, from a scan of all attempts.

import { type Outcome, TIMED_OUTCOMES } from '../../job/job.ts';
import type { Figures, Spread } from '../port/figures.ts';
import { quoted } from '../rows/rows.ts';
import { type Database, rowsOf, type Steps } from '../sql/database.ts';
import { literal, type Sql, sql } from '../sql/statement.ts';

/** `spread` summarizes the `value` column of a query. */
export const figures = (database: Database, spread: (values: string) => Steps<Spread | null>): Promise<Figures> =>
  database.read(
    function* () {
      return {
        ...(yield* outcomes()),
        averageAttempts: yield* averageAttempts(),
        runMs: yield* spread(RUN_MS),
        waitMs: yield* spread('SELECT waited_ms AS value FROM attempts'),
        cpuMs: yield* spread(CPU_MS),
        peakMemoryBytes: yield* spread(MEMORY),
        completedWithin: yield* completed(database.now()),
      };
    },
    { isLong: true },
  );

const RUN_MS = `
  SELECT ended_at - started_at AS value FROM attempts WHERE outcome IN (${quoted(TIMED_OUTCOMES)})`;
const CPU_MS = `
  SELECT coalesce(cpu_user_ms, 0) + coalesce(cpu_system_ms, 0) AS value FROM attempts
  WHERE cpu_user_ms IS NOT NULL OR cpu_system_ms IS NOT NULL`;
const MEMORY = 'SELECT peak_memory_bytes AS value FROM attempts WHERE peak_memory_bytes IS NOT NULL';

function* outcomes(): Steps<Pick<Figures, 'attempts' | 'outcomes'>> {
  const rows = yield* rowsOf(sql`SELECT outcome, count(*) AS n FROM attempts GROUP BY outcome`);
  const ended = rows.filter((row) => row.outcome !== null);
  return {
    attempts: rows.reduce((sum, row) => sum + Number(row.n), 0),
    outcomes: Object.fromEntries(ended.map((row) => [row.outcome as Outcome, Number(row.n)])),
  };
}

function* averageAttempts(): Steps<number | null> {
  const average = sql`SELECT avg(attempts) AS n FROM jobs WHERE finished_at IS NOT NULL AND runs > 0`;
  const [row] = yield* rowsOf(average);
  return row?.n == null ? null : Number(row.n);
}

function* completed(now: Sql): Steps<Figures['completedWithin']> {
  const since = (ms: number): Sql => sql`(
    SELECT count(*) FROM jobs WHERE state = 'completed' AND finished_at IS NOT NULL AND finished_at > ${now} - ${literal(ms)})`;
  const [row] = yield* rowsOf(
    sql`SELECT ${since(60_000)} AS minute, ${since(3_600_000)} AS hour, ${since(86_400_000)} AS day`,
  );
  return { minute: Number(row?.minute), hour: Number(row?.hour), day: Number(row?.day) };
}
