// What jobs may use and touch, and what their attempts used; recipes and secrets.

import type { Migration } from '../../sql/migration.ts';

export const confinement: Migration = {
  version: 9,
  name: 'confinement',
  sql: () => `
    ALTER TABLE jobs ADD COLUMN confinement text;
    ALTER TABLE attempts
      ADD COLUMN peak_memory_bytes bigint,
      ADD COLUMN cpu_user_ms bigint,
      ADD COLUMN cpu_system_ms bigint;

    CREATE TABLE recipes (
      name text COLLATE "C" PRIMARY KEY,
      definition text NOT NULL,
      created_at bigint NOT NULL,
      created_by text NOT NULL
    );

    CREATE TABLE secrets (
      name text COLLATE "C" PRIMARY KEY,
      sealed text NOT NULL,
      created_at bigint NOT NULL,
      created_by text NOT NULL
    );
  `,
};
