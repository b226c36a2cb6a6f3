// Leases, hosts and fences of workers, and numbers of attempts since a job was last retried manually.

import type { Migration } from '../../sql/migration.ts';

export const workerLeases: Migration = {
  version: 2,
  name: 'worker leases',
  sql: () => `
    ALTER TABLE workers ADD COLUMN store_id TEXT NOT NULL DEFAULT '';
    ALTER TABLE workers ADD COLUMN lease_ms INTEGER NOT NULL DEFAULT 30000;
    ALTER TABLE workers ADD COLUMN condemned_at INTEGER;
    ALTER TABLE workers ADD COLUMN only_job TEXT;
    ALTER TABLE attempts ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
    UPDATE attempts SET attempt = number;
  `,
};
