// A worker's own lease, where it works and for whom; the mark of one that was given up; an attempt's number since the
// job was last retried by hand.

import type { Migration } from '../../sql/migration.ts';

export const workerLeases: Migration = {
  version: 2,
  name: 'worker leases',
  sql: () => `
    ALTER TABLE workers ADD COLUMN store_id text NOT NULL DEFAULT '';
    ALTER TABLE workers ADD COLUMN lease_ms bigint NOT NULL DEFAULT 30000;
    ALTER TABLE workers ADD COLUMN condemned_at bigint;
    ALTER TABLE workers ADD COLUMN only_job text;
    ALTER TABLE attempts ADD COLUMN attempt bigint NOT NULL DEFAULT 0;
    UPDATE attempts SET attempt = number;
  `,
};
