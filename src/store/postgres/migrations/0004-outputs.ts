// What jobs write: `output` records which parts are kept and where they are (src/job/output/output.ts). It is NULL for attempts
// of before, whose START and END lines are part of what `outputs` holds.
// From now on log_path is empty when there is no file, as in SQLite.

import type { Migration } from '../../sql/migration.ts';

export const outputs: Migration = {
  version: 4,
  name: 'outputs',
  sql: () => `
    ALTER TABLE attempts ADD COLUMN output text;
    ALTER TABLE jobs ADD COLUMN split_output smallint NOT NULL DEFAULT 0;
  `,
};
