// What the queue has done over time: `tallies` is what transactions append, `series` the buckets that it is folded into.
// A tally is JSON (src/series/tally.ts). Nobody updates a row of `tallies`, so no two workers wait for each other.

import type { Migration } from '../../sql/migration.ts';

export const series: Migration = {
  version: 7,
  name: 'series',
  sql: () => `
    CREATE TABLE tallies (
      counted_at bigint NOT NULL,
      queue text COLLATE "C" NOT NULL,
      tally text NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

    CREATE TABLE series (
      kind text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      starts_at bigint NOT NULL,
      tally text NOT NULL,
      PRIMARY KEY (kind, queue, starts_at)
    ) WITH (fillfactor = 50);
    CREATE INDEX series_age ON series (kind, starts_at);
  `,
};
