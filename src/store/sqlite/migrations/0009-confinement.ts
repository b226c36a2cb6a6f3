// Isolation of jobs, resource usage of attempts, recipes and secrets.

import type { Migration } from '../../sql/migration.ts';

export const confinement: Migration = {
  version: 9,
  name: 'confinement',
  sql: () => `
    ALTER TABLE jobs ADD COLUMN confinement TEXT;
    ALTER TABLE attempts ADD COLUMN peak_memory_bytes INTEGER;
    ALTER TABLE attempts ADD COLUMN cpu_user_ms INTEGER;
    ALTER TABLE attempts ADD COLUMN cpu_system_ms INTEGER;

    CREATE TABLE recipes (
      name TEXT PRIMARY KEY,
      definition TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE secrets (
      name TEXT PRIMARY KEY,
      sealed TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL
    ) WITHOUT ROWID;
  `,
};
