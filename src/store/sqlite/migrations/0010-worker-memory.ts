// The memory that the jobs of a worker may reserve together, as it was told by a flag.

import type { Migration } from '../../sql/migration.ts';

export const workerMemory: Migration = {
  version: 10,
  name: 'worker memory',
  sql: () => 'ALTER TABLE workers ADD COLUMN memory_budget INTEGER',
};
