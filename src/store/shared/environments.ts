// Environments of the shells that jobs were enqueued from: reading one, and removing those that no job or schedule refers to. A
// transaction that is about to refer to an environment locks it first; so does a removal, and only then looks for references.

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

/** The limits keep a planner from a join that walks over all jobs. */
const IS_UNUSED = raw(`(SELECT 1 FROM jobs WHERE environment_id = environments.id LIMIT 1) IS NULL
  AND (SELECT 1 FROM schedules WHERE environment_id = environments.id LIMIT 1) IS NULL`);

/** Looks without a lock first: there is rarely anything to remove. */
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
      const locked = yield* rowsOf(
        sql`SELECT id FROM environments WHERE ${among} ORDER BY id ${dialect.lockingFree}`,
      );
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
