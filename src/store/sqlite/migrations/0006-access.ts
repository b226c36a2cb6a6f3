// Accounts and sessions for HTTP, the audit log, and responses to repeated requests.

import type { Migration } from '../../sql/migration.ts';

export const access: Migration = {
  version: 6,
  name: 'access',
  sql: () => `
    CREATE TABLE users (
      name TEXT PRIMARY KEY,
      role TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE tokens (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      role TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      expires_at INTEGER,
      last_used_at INTEGER
    ) WITHOUT ROWID;

    CREATE TABLE sessions (
      hash TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      principal TEXT NOT NULL,
      role TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX sessions_principal ON sessions (kind, principal);
    CREATE INDEX sessions_end ON sessions (expires_at);

    CREATE TABLE activity (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      via TEXT NOT NULL,
      action TEXT NOT NULL,
      target TEXT,
      detail TEXT
    );

    CREATE TABLE idempotency_keys (
      principal TEXT NOT NULL,
      key TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      response TEXT,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (principal, key)
    ) WITHOUT ROWID;
    CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
  `,
};
