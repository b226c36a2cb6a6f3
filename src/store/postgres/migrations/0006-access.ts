// Who may use the queue over HTTP, who did what, and answers to requests that may come twice.

import type { Migration } from '../../sql/migration.ts';

export const access: Migration = {
  version: 6,
  name: 'access',
  sql: () => `
    CREATE TABLE users (
      name text COLLATE "C" PRIMARY KEY,
      role text NOT NULL,
      password_hash text NOT NULL,
      created_at bigint NOT NULL,
      created_by text NOT NULL
    );

    CREATE TABLE tokens (
      id text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      role text NOT NULL,
      hash text COLLATE "C" NOT NULL UNIQUE,
      created_at bigint NOT NULL,
      created_by text NOT NULL,
      expires_at bigint,
      last_used_at bigint
    );

    CREATE TABLE sessions (
      hash text COLLATE "C" PRIMARY KEY,
      kind text NOT NULL,
      principal text COLLATE "C" NOT NULL,
      role text NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL
    );
    CREATE INDEX sessions_principal ON sessions (kind, principal);
    CREATE INDEX sessions_end ON sessions (expires_at);

    CREATE TABLE activity (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at bigint NOT NULL,
      actor text NOT NULL,
      via text NOT NULL,
      action text NOT NULL,
      target text,
      detail text
    );

    CREATE TABLE idempotency_keys (
      principal text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      request_hash text NOT NULL,
      response text,
      created_at bigint NOT NULL,
      PRIMARY KEY (principal, key)
    );
    CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
  `,
};
