// Counts over time: transactions append to `tallies`, which are folded into the buckets of `series`. A tally is JSON
// (src/series/tally.ts).

import type { Migration } from '../../sql/migration.ts';

export const series: Migration = {
  version: 7,
  name: 'series',
  sql: () => `
    CREATE TABLE tallies (
      number INTEGER PRIMARY KEY,
      counted_at INTEGER NOT NULL,
      queue TEXT NOT NULL,
      tally TEXT NOT NULL
    );

    CREATE TABLE series (
      kind TEXT NOT NULL,
      queue TEXT NOT NULL,
      starts_at INTEGER NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (kind, queue, starts_at)
    ) WITHOUT ROWID;
    CREATE INDEX series_age ON series (kind, starts_at);
  `,
};
