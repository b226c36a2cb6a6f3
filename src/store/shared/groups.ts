// Groups of jobs, and deleting groups without jobs.

import type { JobState } from '../../job/job.ts';
import type { GroupRecord, Groups, SweptGroups } from '../port/groups.ts';
import { type Database, REPEATABLE, rowsOf, run, type Steps } from '../sql/database.ts';
import type { Dialect } from '../sql/dialect.ts';
import { noCounts } from '../sql/overview.ts';
import { join, literal, raw, type Sql, sql } from '../sql/statement.ts';

export function groupsOf(database: Database): Groups {
  const { dialect } = database;
  const groups = (which: Sql): Promise<GroupRecord[]> => database.read(() => groupsWhere(dialect, which));
  return {
    all: (limit) => groups(sql`ORDER BY created_at DESC, name ${dialect.limit(limit)}`),
    get: async (name) => (dialect.isStorable(name) ? ((await groups(sql`WHERE name = ${name}`))[0] ?? null) : null),
    ofNewest: async (limit) => {
      const newest = sql`SELECT id, group_name FROM jobs ORDER BY seq DESC ${dialect.limit(limit)}`;
      const rows = await database.rows(newest);
      return rows.map((row) => ({ id: String(row.id), group: row.group_name as string | null }));
    },
    jobsIn: async (name, limit) =>
      (await database.rows(jobsIn(name, dialect.limit(limit)))).map(({ id }) => String(id)),
    removeIfEmpty: async (name) => {
      await removeEmpty(database, [name]);
    },
    sweep: (after, limit) => sweep(database, after, limit),
  };
}

function* groupsWhere(dialect: Dialect, which: Sql): Steps<GroupRecord[]> {
  const groups = yield* rowsOf(sql`SELECT name, concurrency, created_at FROM groups ${which}`);
  const names = groups.map(({ name }) => String(name));
  const counters = yield* rowsOf(sql`
    SELECT group_name, state, sum(n) AS n FROM group_counters
    WHERE ${dialect.isAmong('group_name', 'text', names)} GROUP BY group_name, state`);
  const byGroup = Map.groupBy(counters, ({ group_name }) => group_name);
  return groups.map((row) => ({
    name: String(row.name),
    concurrency: row.concurrency as number | null,
    createdAt: Number(row.created_at),
    counts: {
      ...noCounts(),
      ...Object.fromEntries((byGroup.get(row.name) ?? []).map(({ state, n }) => [state, Number(n)])),
    },
  }));
}

/** States in the order in which users look for jobs. */
const BY_INTEREST: readonly JobState[] = [
  'processing', 'failed', 'dead', 'cancelled', 'pending', 'blocked', 'completed',
]; // biome-ignore format: a list of words

/** Takes a few jobs of each state from the ends of the index, then the first of these. */
function jobsIn(name: string, limit: Sql): Sql {
  const ofStates = BY_INTEREST.map(
    (state, i) => sql`
      SELECT * FROM (SELECT id, seq, ${literal(i)} AS rank FROM jobs
        WHERE group_name = ${name} AND state = ${raw(`'${state}'`)} ORDER BY seq ${limit}) AS ${raw(`of_${state}`)}`,
  );
  const chosen = sql`SELECT * FROM (${join(ofStates, ' UNION ALL ')}) AS found ORDER BY rank, seq ${limit}`;
  return sql`SELECT id FROM (${chosen}) AS chosen ORDER BY seq`;
}

const IS_EMPTY = raw(`(SELECT 1 FROM jobs WHERE group_name = groups.name LIMIT 1) IS NULL
  AND (SELECT 1 FROM endings WHERE group_name = groups.name LIMIT 1) IS NULL`);

/** Checks without a lock first, because there is rarely anything to delete. */
async function sweep(database: Database, after: string, limit: number): Promise<SweptGroups> {
  const { dialect } = database;
  const seen = await database.rows(sql`
    SELECT name, ${IS_EMPTY} AS is_empty FROM groups WHERE name > ${after} ORDER BY name ${dialect.limit(limit)}`);
  const next = seen.length < limit ? null : String(seen.at(-1)?.name);
  const empty = seen.filter((row) => row.is_empty).map(({ name }) => String(name));
  return { removed: empty.length === 0 ? 0 : await removeEmpty(database, empty), next };
}

/** Deletes those of the groups that have no jobs, and returns their number. */
function removeEmpty(database: Database, names: readonly string[]): Promise<number> {
  const { dialect } = database;
  return database.write(function* () {
    const isNamed = (column: string, rows: readonly { readonly name?: unknown }[]): Sql =>
      dialect.isAmong(
        column,
        'text',
        rows.map(({ name }) => String(name)),
      );
    const among = dialect.isAmong('name', 'text', names);
    const locked = yield* rowsOf(sql`
      SELECT name FROM groups WHERE ${among} ORDER BY name ${dialect.lockingFree}`);
    const removed = yield* rowsOf(sql`
      DELETE FROM groups WHERE ${isNamed('name', locked)} AND ${IS_EMPTY} RETURNING name`);
    yield* run(sql`DELETE FROM group_counters WHERE ${isNamed('group_name', removed)}`);
    return removed.length;
  }, REPEATABLE);
}
