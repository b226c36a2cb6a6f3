// A ready job that moves to another queue frees the slot of its key or group in the queue that it leaves.

import type { Migration } from '../../sql/migration.ts';

export const movedJobs: Migration = {
  version: 11,
  name: 'moved jobs',
  sql: () => `
    DROP TRIGGER free_gates;
    CREATE TRIGGER free_gates AFTER UPDATE ON jobs
    WHEN old.gated = 1 AND new.locked_by IS NULL AND (old.locked_by IS NOT NULL
      OR (old.ready = 1 AND (new.ready <> 1 OR old.key IS NOT new.key OR old.queue <> new.queue))) BEGIN
      INSERT OR IGNORE INTO freed_gates SELECT 'key:' || old.key WHERE old.key IS NOT NULL;
      INSERT OR IGNORE INTO freed_gates SELECT 'group:' || old.group_name WHERE old.group_name IS NOT NULL;
    END;
  `,
};
