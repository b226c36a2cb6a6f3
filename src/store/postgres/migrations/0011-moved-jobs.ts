// A ready job that moves to another queue frees the slot of its key or group in the queue it leaves.

import type { Migration } from '../../sql/migration.ts';
import { countMoved } from './0005-flow.ts';

export const movedJobs: Migration = {
  version: 11,
  name: 'moved jobs',
  sql: (schema) => countMoved(schema, '(past.key IS DISTINCT FROM fresh.key OR past.queue <> fresh.queue)'),
};
