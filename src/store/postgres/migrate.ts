// Migrates a schema to the version of this program, in one transaction. Rejects newer schemas and those of other programs.
// For an up-to-date schema it only reads, so a role without the right to create tables can use a prepared queue.

import { QueueError } from '../../errors/errors.ts';
import type { Migration } from '../sql/migration.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { isUndefinedTable } from './session/failures.ts';
import { initial } from './migrations/0001-initial.ts';
import { workerLeases } from './migrations/0002-worker-leases.ts';
import { environments } from './migrations/0003-environments.ts';
import { outputs } from './migrations/0004-outputs.ts';
import { flow } from './migrations/0005-flow.ts';
import { access } from './migrations/0006-access.ts';
import { series } from './migrations/0007-series.ts';
import { lists } from './migrations/0008-lists.ts';
import { confinement } from './migrations/0009-confinement.ts';
import { workerMemory } from './migrations/0010-worker-memory.ts';
import { movedJobs } from './migrations/0011-moved-jobs.ts';
import { workerVersion } from './migrations/0012-worker-version.ts';
import { lockFor } from './session/exclusive.ts';
import { quotedName } from './session/names.ts';
import { now } from './rows.ts';

export const MIGRATIONS: readonly Migration[] = [
  initial,
  workerLeases,
  environments,
  outputs,
  flow,
  access,
  series,
  lists,
  confinement,
  workerMemory,
  movedJobs,
  workerVersion,
];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Whether a newer program has migrated the schema, as SQL. */
export const IS_OUTDATED = `(SELECT max(version) FROM migrations) > ${SCHEMA_VERSION}`;

export async function migrate(connection: Connection, create: boolean): Promise<void> {
  const version = await currentVersion(connection);
  if (version === SCHEMA_VERSION) return;
  if (version === 0 && !create) throw new QueueError('queue_not_found', { path: connection.target.name });
  await connection.write((session) => bringUpToDate(connection, session), {
    withinMs: LONG_MS,
    isRepeatable: true,
  });
}

async function currentVersion(connection: Connection): Promise<number> {
  try {
    const { rows } = await connection.query('SELECT coalesce(max(version), 0) AS version FROM migrations');
    return checked(connection, Number(rows[0]?.version));
  } catch (error) {
    // Elsewhere this means that the queue was removed; here the schema may not exist yet.
    if (error instanceof QueueError && isUndefinedTable(error.cause)) return 0;
    throw error;
  }
}

async function bringUpToDate(connection: Connection, session: Session): Promise<void> {
  const { schema } = connection.target;
  lockFor(connection, session, 'migrate');
  const found = await foundVersion(connection, session); // again: another process may have migrated meanwhile
  for (const migration of MIGRATIONS.slice(found)) {
    await session.sql(migration.sql(schema));
    await session.sql(`INSERT INTO migrations VALUES ($1, $2, ${now('$3')})`, [
      migration.version,
      migration.name,
      connection.givenNow,
    ]);
  }
}

async function foundVersion(connection: Connection, session: Session): Promise<number> {
  const { schema } = connection.target;
  const [found] = (
    await session.sql(
      `SELECT n.oid IS NOT NULL AS has_schema, to_regclass('migrations') IS NOT NULL AS has_version,
         (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = ANY($2)) AS tables
       FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = $1`,
      [
        schema,
        [
          'jobs',
          'attempts',
          'outputs',
          'counters',
          'workers',
          'settings',
          'environments',
          'groups',
          'schedules',
          'series',
        ],
      ],
    )
  ).rows;
  if (!found?.has_schema) await session.sql(`CREATE SCHEMA IF NOT EXISTS ${quotedName(schema)}`);
  if (found?.has_version) {
    const { rows } = await session.sql('SELECT coalesce(max(version), 0) AS version FROM migrations');
    return checked(connection, Number(rows[0]?.version));
  }
  if (Number(found?.tables) === 0) return 0;
  throw new QueueError('store_not_a_database', {
    path: connection.target.name,
    problem: 'the tables belong to another program',
  });
}

function checked(connection: Connection, version: number): number {
  if (version <= SCHEMA_VERSION) return version;
  const details = { path: connection.target.name, found: version, known: SCHEMA_VERSION };
  throw new QueueError('store_too_new', details);
}
