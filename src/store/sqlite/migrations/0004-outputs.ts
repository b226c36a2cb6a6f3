// What jobs write: small outputs stand in the store, any other in a file, and `output` records which parts are kept and
// where they are (src/job/output/output.ts). It is NULL for attempts of before, whose START and END lines are part of the text.
// From now on log_path is empty when there is no file (a column that must not be NULL cannot be changed in place).

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
