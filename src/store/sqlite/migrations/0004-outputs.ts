// Output: short output is in the table, longer output in a file. `output` records which parts are kept and where
// (src/job/output/output.ts). It is NULL for older attempts, whose output contains START and END lines. log_path is
// empty from now on if there is no file, because the column cannot be made nullable in place.

import type { Migration } from '../../sql/migration.ts';

export const outputs: Migration = {
  version: 4,
  name: 'outputs',
  sql: () => `
    CREATE TABLE outputs (
      job_seq INTEGER NOT NULL,
      number INTEGER NOT NULL,
      from_byte INTEGER NOT NULL,
      data BLOB NOT NULL,
      PRIMARY KEY (job_seq, number, from_byte)
    ) WITHOUT ROWID;

    ALTER TABLE attempts ADD COLUMN output TEXT;
    ALTER TABLE jobs ADD COLUMN split_output INTEGER NOT NULL DEFAULT 0;
  `,
};
