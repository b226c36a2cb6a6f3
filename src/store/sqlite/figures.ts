// The numbers behind `queuectl metrics`: one pass over the attempts, however many there are.

import type { Outcome } from '../../job/job.ts';
import { TIMED_OUTCOMES } from '../../job/outcome-sets.ts';
import { quoted } from '../rows/rows.ts';
import { CPU_OF_ATTEMPTS, MEMORY_OF_ATTEMPTS } from '../sql/usage-sql.ts';
import type { Figures, Spread } from '../store.ts';
import type { Connection } from './connection.ts';

const IS_TIMED = `outcome IN (${quoted(TIMED_OUTCOMES)})`;

export function figures(connection: Connection, now: number): Figures {
  return {
    ...outcomes(connection),
    averageAttempts: averageAttempts(connection),
    runMs: spread(connection, `SELECT ended_at - started_at AS value FROM attempts WHERE ${IS_TIMED}`),
    waitMs: spread(connection, 'SELECT waited_ms AS value FROM attempts'),
    cpuMs: spread(connection, CPU_OF_ATTEMPTS),
    peakMemoryBytes: spread(connection, MEMORY_OF_ATTEMPTS),
    completedWithin: {
      minute: completedSince(connection, now - 60_000),
      hour: completedSince(connection, now - 3_600_000),
      day: completedSince(connection, now - 86_400_000),
    },
  };
}

function outcomes(connection: Connection): Pick<Figures, 'attempts' | 'outcomes'> {
  const rows = connection.sql('SELECT outcome, count(*) AS n FROM attempts GROUP BY outcome').all();
  const ended = rows.filter((row) => row.outcome !== null);
  return {
    attempts: rows.reduce((sum, row) => sum + Number(row.n), 0),
    outcomes: Object.fromEntries(ended.map((row) => [row.outcome as Outcome, Number(row.n)])),
  };
}

function averageAttempts(connection: Connection): number | null {
  const row = connection
    .sql(`SELECT avg(attempts) AS n FROM jobs WHERE finished_at IS NOT NULL AND runs > 0`)
    .get();
  return (row?.n as number | null | undefined) ?? null;
}

function completedSince(connection: Connection, since: number): number {
  const row = connection
    .sql(
      `SELECT count(*) AS n FROM jobs WHERE state = 'completed' AND finished_at IS NOT NULL AND finished_at > ?`,
    )
    .get(since);
  return Number(row?.n);
}

function spread(connection: Connection, query: string): Spread | null {
  const values: number[] = [];
  for (const row of connection.sql(query).iterate()) values.push(Math.max(0, Number(row.value)));
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return {
    count: sorted.length,
    avg: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    min: at(0),
    max: at(1),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}
