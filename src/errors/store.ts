// The store cannot be used: unreachable, locked, damaged or too new.

import { kinds } from './kind.ts';

export const STORE_ERRORS = () =>
  kinds(
    { exit: 5, http: 503 },
    {
      store_not_a_database: {
        message: "'{path}' is not a queuectl database ({problem})",
        hint: 'point --db or QUEUECTL_DB at another file; this one was left as it is',
      },
      store_corrupt: {
        message: "the database '{path}' is damaged ({problem})",
        hint: 'it was left as it is: restore a backup, or rescue what can be read with: sqlite3 {path} .recover',
      },
      store_read_only: {
        message: "the database '{path}' cannot be written ({problem})",
        hint: 'check the owner and mode of the file and of its folder, and that the disk is not mounted read-only; on a server, that it is no standby',
      },
      store_forbidden: {
        message: "the database '{path}' does not let this role do that ({problem})",
        hint: 'docs/guides/postgresql.md lists what each role has to be granted; connect as another role, or ask the owner of the queue',
      },
      store_unreachable: {
        message: "the database '{path}' cannot be opened ({problem})",
        hint: 'check that the folder exists and can be written, or that the server runs and lets you in; and that --db or QUEUECTL_DB names the right place',
      },
      store_pooled: {
        message: "'{path}' leads to a connection pooler, and a queue needs the server itself ({problem})",
        hint: 'give the address of the PostgreSQL server, not of PgBouncer or another pooler; a worker needs only two or three connections',
      },
      store_encoding: {
        message: "the database '{path}' has the encoding {encoding}, and a queue needs UTF8",
        hint: "make one for it: CREATE DATABASE queue ENCODING 'UTF8' TEMPLATE template0",
      },
      store_gone: {
        message: "the database '{path}' was removed or replaced while it was in use",
        hint: 'start new workers for the one that is there now',
      },
      store_full: {
        message: "the disk that holds '{path}' is full; nothing was changed",
        hint: 'free some space on it; with a little of it, queuectl prune removes finished jobs and their logs',
      },
      store_not_synced: {
        message: "the disk that holds '{path}' failed to keep what was written",
        hint: 'look at the system log; jobs that the worker had just been given run again',
      },
      store_busy: {
        message: "the database '{path}' stayed locked for {seconds} s",
        hint: 'another program holds it: queuectl doctor; then try again',
      },
      store_too_new: {
        message: "the database '{path}' has version {found}, and this queuectl knows up to {known}",
        hint: 'upgrade queuectl on this machine; the database was left as it is',
      },
    },
  );
