// Migrates a database file to the current schema in one transaction. Rejects newer schemas and files of other programs.
// The version is in the table of migrations, and in user_version for fast access.

import { QueueError } from '../../errors/errors.ts';
import type { Connection } from './connection.ts';

/** Number of migrations, so that they need not be loaded to know it. */
export const SCHEMA_VERSION = 12;

/** 'qctl'; marks the file as a queuectl database. */
const APPLICATION_ID = 0x7163746c;

export async function migrate(connection: Connection, now: number): Promise<void> {
  const version = await connection.read(() => versionOf(connection));
  // The file stores the journal mode, but a restored copy may have lost it. A transaction cannot change it.
  await connection.patiently(() => connection.sql('PRAGMA journal_mode = WAL').get());
  if (version === SCHEMA_VERSION) return;
  const { MIGRATIONS } = await import('./migrations/all.ts');
  await connection.write(() => {
    const found = versionOf(connection); // another process may have migrated meanwhile
    for (const migration of MIGRATIONS.slice(found)) {
      connection.exec(migration.sql('main'));
      connection.sql('INSERT INTO migrations VALUES (?, ?, ?)').run(migration.version, migration.name, now);
    }
    connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID};`);
  });
  await connection.patiently(() => connection.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()); // so that the file itself contains the schema
}

export const foundVersion = (connection: Connection): number => pragma(connection, 'user_version');

function versionOf(connection: Connection): number {
  const version = foundVersion(connection);
  if (pragma(connection, 'application_id') !== APPLICATION_ID) return rejectForeign(connection, version);
  if (version > SCHEMA_VERSION) {
    throw new QueueError('store_too_new', { path: connection.path, found: version, known: SCHEMA_VERSION });
  }
  return version;
}

function rejectForeign(connection: Connection, version: number): number {
  const tables = Number(connection.sql('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (tables === 0 && version === 0) return 0;
  throw new QueueError('store_not_a_database', {
    path: connection.path,
    problem: 'the file belongs to another program',
  });
}

function pragma(connection: Connection, name: string): number {
  return Number(connection.sql(`PRAGMA ${name}`).get()?.[name]);
}
