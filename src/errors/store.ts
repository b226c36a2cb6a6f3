// The database cannot be used: it is unreachable, locked, corrupt or too new.

import { kinds } from './kind.ts';

export const STORE_ERRORS = () =>
  kinds(
    { exit: 5, http: 503 },
    {
      store_not_a_database: {
        message: "'{path}' is not a queuectl database ({problem})",
        hint: 'set --db or QUEUECTL_DB to another file; this file was not changed',
      },
      store_corrupt: {
        message: "database '{path}' is corrupt ({problem})",
        hint: 'restore a backup, or recover the readable data: sqlite3 {path} .recover; the file was not changed',
      },
      store_read_only: {
        message: "cannot write to database '{path}' ({problem})",
        hint: 'make the file, its directory and its disk writable; on PostgreSQL, connect to the primary server, not to a standby',
      },
      store_forbidden: {
        message: "permission denied in database '{path}' ({problem})",
        hint: 'connect as another role, or grant the privileges listed in docs/guides/postgresql.md',
      },
      store_unreachable: {
        message: "cannot open database '{path}' ({problem})",
        hint: 'check that --db or QUEUECTL_DB names a file in a writable directory, or a PostgreSQL server that is running and accepts the login',
      },
      store_pooled: {
        message: "'{path}' is a connection pooler; queuectl requires a direct connection ({problem})",
        hint: 'use the URL of the PostgreSQL server, not of PgBouncer or another pooler; a worker needs only two or three connections',
      },
      store_encoding: {
        message: "database '{path}' has the encoding {encoding}; queuectl requires UTF8",
        hint: "create a UTF8 database: CREATE DATABASE queue ENCODING 'UTF8' TEMPLATE template0",
      },
      store_gone: {
        message: "database '{path}' was deleted or replaced while in use",
        hint: 'start new workers on the new database: queuectl worker start',
      },
      store_full: {
        message: "the disk of '{path}' is full; nothing was changed",
        hint: 'free some disk space, then delete finished jobs and their logs: queuectl prune',
      },
      store_busy: {
        message: "database '{path}' was locked for {seconds} s",
        hint: 'another process is holding the lock; check with: queuectl doctor',
      },
      store_too_new: {
        message: "database '{path}' has schema version {found}; this queuectl supports up to {known}",
        hint: 'upgrade queuectl on this host; the database was not changed',
      },
      worker_outdated: {
        message: 'the worker has stopped, because a newer queuectl has migrated the database',
        hint: 'start the worker with the newer version',
      },
    },
  );
