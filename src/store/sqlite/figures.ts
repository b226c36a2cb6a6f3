// Percentiles, which SQLite cannot calculate.

import type { Spread } from '../port/figures.ts';
import { native, type Steps } from '../sql/database.ts';
import type { Connection } from './connection.ts';

export const spread = (query: string): Steps<Spread | null> =>
  native((connection: Connection) => spreadOf(connection, query));

function spreadOf(connection: Connection, query: string): Spread | null {
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
