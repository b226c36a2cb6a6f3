// Brings a database file to the schema this program knows, in one transaction; refuses what is newer or not ours.
// The version is in the migrations table and, for a look that costs nothing, in user_version.

import { QueueError } from '../../errors/errors.ts';
import type { Connection } from './connection.ts';

/** As many as there are in migrations/, which need not be loaded to know. */
export const SCHEMA_VERSION = 11;

/** 'qctl': marks the file as ours. */
const APPLICATION_ID = 0x7163746c;

export async function migrate(connection: Connection, now: number): Promise<void> {
  const version = await connection.read(() => versionOf(connection));
  // Kept in the file, but a restored copy may have lost it. It cannot be set within a transaction.
  await connection.patiently(() => connection.sql('PRAGMA journal_mode = WAL').get());
  if (version === SCHEMA_VERSION) return;
  const { MIGRATIONS } = await import('./migrations/all.ts');
  await connection.write(() => {
    const found = versionOf(connection); // again: somebody else may have migrated meanwhile
    for (const migration of MIGRATIONS.slice(found)) {
      connection.exec(migration.sql('main'));
      connection.sql('INSERT INTO migrations VALUES (?, ?, ?)').run(migration.version, migration.name, now);
    }
    connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; PRAGMA application_id = ${APPLICATION_ID};`);
  });
  await connection.patiently(() => connection.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()); // a file that says what it is
}

export const foundVersion = (connection: Connection): number => pragma(connection, 'user_version');

function versionOf(connection: Connection): number {
  const version = foundVersion(connection);
  if (pragma(connection, 'application_id') !== APPLICATION_ID) return refuseForeign(connection, version);
  if (version > SCHEMA_VERSION) {
    throw new QueueError('store_too_new', { path: connection.path, found: version, known: SCHEMA_VERSION });
  }
  return version;
}

function refuseForeign(connection: Connection, version: number): number {
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
