// The spread of values, calculated by the server.

import type { Spread } from '../port/figures.ts';
import { rowsOf, type Steps } from '../sql/database.ts';
import { raw } from '../sql/statement.ts';

export function* spread(query: string): Steps<Spread | null> {
  const [row] = yield* rowsOf(
    raw(`
      SELECT count(*) AS count, avg(value)::float8 AS avg, min(value) AS min, max(value) AS max,
        percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY value)::float8[] AS shares
      FROM (SELECT greatest(0, value) AS value FROM (${query}) timed) positive`),
  );
  if (!row || row.count === 0) return null;
  const [p50, p95, p99] = row.shares as [number, number, number];
  const { count, avg, min, max } = row as unknown as Spread;
  return { count, avg, min, max, p50, p95, p99 };
}
