// Memory that a worker's jobs may reserve together, if a flag sets it.

import type { Migration } from '../../sql/migration.ts';

export const workerMemory: Migration = {
  version: 10,
  name: 'worker memory',
  sql: () => 'ALTER TABLE workers ADD COLUMN memory_budget INTEGER',
};
