// Ways to the newest jobs by what few of them have: a key, a failure, a person who holds them. Each index holds only the jobs
// it is about, so the others cost nothing more.

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
