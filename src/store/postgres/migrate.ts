// Brings a schema to the version this program knows, in one transaction; refuses what is newer or not ours.
// An up-to-date schema costs one read, so a role that may not create anything can use a prepared queue.

import { QueueError } from '../../errors/errors.ts';
import type { Migration } from '../sql/migration.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { isMissing } from './session/failures.ts';
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
import { lockOf, quotedName } from './session/names.ts';
import { now } from './rows.ts';

const MIGRATIONS: readonly Migration[] = [
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
];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Whether a newer program has migrated the schema since, as SQL. */
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
    // Reported as "gone" elsewhere; here the schema may just not be there yet.
    if (error instanceof QueueError && isMissing(error.cause)) return 0;
    throw error;
  }
}

async function bringUpToDate(connection: Connection, session: Session): Promise<void> {
  const { schema } = connection.target;
  await session.sql('SELECT pg_advisory_xact_lock($1, $2)', lockOf(schema, 'migrate'));
  const found = await foundVersion(connection, session); // again: somebody else may have migrated meanwhile
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
  const [there] = (
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
  if (!there?.has_schema) await session.sql(`CREATE SCHEMA IF NOT EXISTS ${quotedName(schema)}`);
  if (there?.has_version) {
    const { rows } = await session.sql('SELECT coalesce(max(version), 0) AS version FROM migrations');
    return checked(connection, Number(rows[0]?.version));
  }
  if (Number(there?.tables) === 0) return 0;
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
