// The version of a worker's program. Null for workers that registered before this migration.

import type { Migration } from '../../sql/migration.ts';

export const workerVersion: Migration = {
  version: 12,
  name: 'worker version',
  sql: () => 'ALTER TABLE workers ADD COLUMN version text',
};
