// Indexes of the newest jobs that have a key, an error or a hold. Each contains only these jobs, so other jobs cost
// nothing extra.

import type { Migration } from '../../sql/migration.ts';

export const lists: Migration = {
  version: 8,
  name: 'lists',
  sql: () => `
    CREATE INDEX jobs_by_key ON jobs (key, seq) WHERE key IS NOT NULL;
    CREATE INDEX jobs_by_fingerprint ON jobs (fingerprint, seq) WHERE fingerprint IS NOT NULL;
    CREATE INDEX jobs_with_error ON jobs (seq) WHERE last_error IS NOT NULL;
    CREATE INDEX jobs_with_hold ON jobs (seq) WHERE held IS NOT NULL;
  `,
};
