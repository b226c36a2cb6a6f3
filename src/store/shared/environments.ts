// Environments of the shells that jobs were enqueued from. A transaction that refers to an environment locks it first.
// sweep() also locks first and then looks for references, so that it never deletes an environment that is about to be
// used.

import { type Variables, variablesIn } from '../../job/environment/environment.ts';
import type { Environments, Swept } from '../port/environments.ts';
import { type Database, REPEATABLE, rowsOf, run } from '../sql/database.ts';
import { raw, sql } from '../sql/statement.ts';

export const environmentsOf = (database: Database): Environments => ({
  ofJob: (jobId) => ofJob(database, jobId),
  sweep: (after, limit) => sweep(database, after, limit),
});

async function ofJob(database: Database, jobId: string): Promise<Variables | null> {
  const environment = sql`
    SELECT e.variables FROM jobs j JOIN environments e ON e.id = j.environment_id WHERE j.id = ${jobId}`;
  const [row] = await database.rows(environment);
  return row ? variablesIn(String(row.variables)) : null;
}

/** The limits keep planners from choosing a join over all jobs. */
const IS_UNUSED = raw(`(SELECT 1 FROM jobs WHERE environment_id = environments.id LIMIT 1) IS NULL
  AND (SELECT 1 FROM schedules WHERE environment_id = environments.id LIMIT 1) IS NULL`);

/** Checks without a lock first, because there is rarely anything to delete. */
async function sweep(database: Database, after: number, limit: number): Promise<Swept> {
  const { dialect } = database;
  const seen = await database.rows(sql`
    SELECT id, ${IS_UNUSED} AS is_unused FROM environments
    WHERE id > ${after} ORDER BY id ${dialect.limit(limit)}`);
  const next = seen.length < limit ? 0 : Number(seen.at(-1)?.id);
  const unused = seen.filter((row) => row.is_unused).map(({ id }) => Number(id));
  if (unused.length === 0) return { removed: 0, next };
  return database.write(
    function* () {
      const among = dialect.isAmong('id', 'bigint', unused);
      const locked = yield* rowsOf(sql`SELECT id FROM environments WHERE ${among} ORDER BY id ${dialect.lockingFree}`);
      const isLocked = dialect.isAmong(
        'id',
        'bigint',
        locked.map(({ id }) => Number(id)),
      );
      const { count } = yield* run(sql`DELETE FROM environments WHERE ${isLocked} AND ${IS_UNUSED}`);
      return { removed: count, next };
    },
    { ...REPEATABLE, isLong: true },
  );
}
