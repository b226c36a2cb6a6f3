// Environments of the shells that jobs were enqueued from, each stored once. IDs are never reused, because workers
// cache environments by ID. The index of jobs tells whether an environment is still in use.

import type { Migration } from '../../sql/migration.ts';

export const environments: Migration = {
  version: 3,
  name: 'environments',
  sql: () => `
    CREATE TABLE environments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      hash INTEGER NOT NULL,
      variables TEXT NOT NULL
    );
    CREATE INDEX environments_hash ON environments (hash);

    ALTER TABLE jobs ADD COLUMN environment_id INTEGER;
    CREATE INDEX jobs_environment ON jobs (environment_id) WHERE environment_id IS NOT NULL;
  `,
};
