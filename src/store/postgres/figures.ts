// The numbers behind `queuectl metrics`: one pass over the attempts, however many there are, on the server.

import type { Outcome } from '../../job/job.ts';
import { TIMED_OUTCOMES } from '../../job/outcome-sets.ts';
import { quoted } from '../rows/rows.ts';
import { CPU_OF_ATTEMPTS, MEMORY_OF_ATTEMPTS } from '../sql/usage-sql.ts';
import type { Figures, Spread } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { now } from './rows.ts';

const IS_TIMED = `outcome IN (${quoted(TIMED_OUTCOMES)})`;

export function figures(connection: Connection): Promise<Figures> {
  return connection.read(async (session) => {
    const [counted, average, runMs, waitMs, cpuMs, peakMemoryBytes, completedWithin] = await Promise.all([
      outcomes(session),
      averageAttempts(session),
      spread(session, `SELECT ended_at - started_at AS value FROM attempts WHERE ${IS_TIMED}`),
      spread(session, 'SELECT waited_ms AS value FROM attempts'),
      spread(session, CPU_OF_ATTEMPTS),
      spread(session, MEMORY_OF_ATTEMPTS),
      completed(session, connection.givenNow),
    ]);
    return { ...counted, averageAttempts: average, runMs, waitMs, cpuMs, peakMemoryBytes, completedWithin };
  }, LONG_MS);
}

async function outcomes(session: Session): Promise<Pick<Figures, 'attempts' | 'outcomes'>> {
  const { rows } = await session.sql('SELECT outcome, count(*) AS n FROM attempts GROUP BY outcome');
  const ended = rows.filter((row) => row.outcome !== null);
  return {
    attempts: rows.reduce((sum, row) => sum + Number(row.n), 0),
    outcomes: Object.fromEntries(ended.map((row) => [row.outcome as Outcome, Number(row.n)])),
  };
}

async function averageAttempts(session: Session): Promise<number | null> {
  const { rows } = await session.sql(
    'SELECT avg(attempts)::float8 AS n FROM jobs WHERE finished_at IS NOT NULL AND runs > 0',
  );
  return rows[0]?.n as number | null;
}

const since = (ms: number): string => `
  (SELECT count(*) FROM jobs
   WHERE state = 'completed' AND finished_at IS NOT NULL AND finished_at > ${now('$1')} - ${ms})`;

async function completed(session: Session, time: number | null): Promise<Figures['completedWithin']> {
  const { rows } = await session.sql(
    `SELECT ${since(60_000)} AS minute, ${since(3_600_000)} AS hour, ${since(86_400_000)} AS day`,
    [time],
  );
  return rows[0] as unknown as Figures['completedWithin'];
}

async function spread(session: Session, source: string): Promise<Spread | null> {
  const { rows } = await session.sql(`
    SELECT count(*) AS count, avg(value)::float8 AS avg, min(value) AS min, max(value) AS max,
      percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY value)::float8[] AS shares
    FROM (SELECT greatest(0, value) AS value FROM (${source}) timed) positive`);
  const [row] = rows;
  if (!row || row.count === 0) return null;
  const [p50, p95, p99] = row.shares as [number, number, number];
  const { count, avg, min, max } = row as unknown as Spread;
  return { count, avg, min, max, p50, p95, p99 };
}
