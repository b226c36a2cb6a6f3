// Environments of the shells that jobs were enqueued from, each once. An id is never used again: workers keep what they
// have read under it. The index by job answers whether an environment is still in use.

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
