// Jobs that belong together: what belongs to the group itself, and counters that triggers append to.
// A transaction that needs locks on jobs and on groups takes those on jobs first.

import { type JobState, type NewJob, NON_FINAL_STATES } from '../../job/job.ts';
import { groupsIn, jobsIn } from '../rows/group-rows.ts';
import { noCounts } from '../sql/overview.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { GroupedJob, GroupRecord, Groups, SweptGroups } from '../store.ts';
import type { Connection, Session } from './session/connection.ts';
import { columnsOf, now } from './rows.ts';

const ADD = `
  INSERT INTO groups (name, created_at)
  SELECT name, ${now('$2')} FROM unnest($1::text[]) AS given (name) ORDER BY name ON CONFLICT DO NOTHING`;
const LIMIT = `
  UPDATE groups SET concurrency = given.concurrency
  FROM unnest($1::text[], $2::bigint[]) AS given (name, concurrency)
  WHERE groups.name = given.name COLLATE "C" AND groups.concurrency IS DISTINCT FROM given.concurrency`;

const HOOKS = `
  UPDATE groups SET hooks = given.hooks, followed = 1
  FROM unnest($1::text[], $2::text[]) AS given (name, hooks) WHERE groups.name = given.name COLLATE "C"`;

/** Keeps a sweep from removing them. Enqueues into the same group do not wait for each other. */
const KEEP = 'SELECT name FROM groups WHERE name = ANY($1::text[]) ORDER BY name FOR KEY SHARE';

/**
 * Waits for enqueues into groups that get their first limit. Those jobs are not marked as limited, and until they are committed
 * LIMIT_MEMBERS does not find them. Later enqueues wait for this one and then see the limit.
 */
const AWAIT_MEMBERS =
  'SELECT name FROM groups WHERE name = ANY($1::text[]) AND concurrency IS NULL ORDER BY name FOR UPDATE';

/**
 * Creates the groups of new jobs and keeps them until the jobs are committed: until then they look empty to a sweep. `limited` are
 * those that limitGroups() will limit.
 */
export async function addGroups(
  session: Session,
  names: readonly string[],
  limited: readonly string[],
  givenNow: number | null,
): Promise<void> {
  const given = columnsOf(
    names.map((name) => [name]),
    1,
  );
  for (let kept = 0; kept < names.length; ) {
    const [, , { count }] = await Promise.all([
      session.sql(ADD, [...given, givenNow]),
      limited.length > 0 && session.sql(AWAIT_MEMBERS, [limited]),
      session.sql(KEEP, given),
    ]);
    kept = count; // a sweep may have removed a group between the two statements
  }
}

/** The groups of new jobs, and those among them that get a limit. */
export function namesOfGroups(jobs: readonly NewJob[]): { names: string[]; limited: string[] } {
  const groups = groupsIn(jobs);
  return {
    names: groups.map(({ name }) => name),
    limited: groups.filter(({ concurrency }) => concurrency !== null).map(({ name }) => name),
  };
}

/** Limits and hooks that were given for groups; last of all, as it locks jobs and then their groups. */
export function limitGroups(session: Session, jobs: readonly NewJob[]): void {
  const groups = groupsIn(jobs);
  const limits = groups.flatMap(({ name, concurrency }) =>
    concurrency === null ? [] : [[name, concurrency]],
  );
  if (limits.length > 0) {
    const names = columnsOf(limits, 1);
    session.tell(LIMIT_MEMBERS, names);
    session.tell(LOOK_AT_GATES, names);
    session.tell(LIMIT, columnsOf(limits, 2));
  }
  const hooks = groups.flatMap(({ name, hooks }) => (hooks === null ? [] : [[name, hooks]]));
  if (hooks.length > 0) session.tell(HOOKS, columnsOf(hooks, 2));
}

/** Jobs that were there before the group had a limit are held to it too; and a wider one lets in more. */
const LIMIT_MEMBERS = `
  UPDATE jobs SET gated = 1 WHERE seq = ANY(ARRAY(
    SELECT seq FROM jobs WHERE group_name = ANY($1::text[]) AND gated = 0
      AND state IN (${quoted(NON_FINAL_STATES)}) ORDER BY seq FOR UPDATE))`;
const LOOK_AT_GATES = `INSERT INTO freed_gates (gate) SELECT 'group:' || name FROM unnest($1::text[]) AS given (name)`;

const COUNTS = `
  SELECT group_name, json_object_agg(state, n) AS counts FROM (
    SELECT group_name, state, sum(n)::bigint AS n FROM group_counters WHERE group_name = ANY($1::text[])
    GROUP BY group_name, state HAVING sum(n) > 0) summed
  GROUP BY group_name`;

type Counts = Record<JobState, number>;

/** Groups without jobs are left out. */
export async function groupCounts(session: Session, names: readonly string[]): Promise<Map<string, Counts>> {
  if (names.length === 0) return new Map();
  const { rows } = await session.sql(
    COUNTS,
    columnsOf(
      names.map((name) => [name]),
      1,
    ),
  );
  return new Map(rows.map((row) => [String(row.group_name), countsOf(row)]));
}

const countsOf = (row: Row | undefined): Counts => ({ ...noCounts(), ...(row?.counts as Partial<Counts>) });

export async function group(connection: Connection, name: string): Promise<GroupRecord | null> {
  if (name.includes('\0')) return null;
  const [found] = await groupsWhere(connection, 'WHERE name = $1', [name]);
  return found ?? null;
}

export async function groupsOfNewest(connection: Connection, limit: number): Promise<GroupedJob[]> {
  const { rows } = await connection.query('SELECT id, group_name FROM jobs ORDER BY seq DESC LIMIT $1', [
    limit,
  ]);
  return rows.map((row) => ({ id: String(row.id), group: row.group_name as string | null }));
}

const JOBS_IN = jobsIn('$1', '$2');

export async function jobsInGroup(connection: Connection, name: string, limit: number): Promise<string[]> {
  if (name.includes('\0')) return [];
  const { rows } = await connection.query(JOBS_IN, [name, limit]);
  return rows.map(({ id }) => String(id));
}

export const groups = (connection: Connection, limit: number | null): Promise<GroupRecord[]> =>
  groupsWhere(connection, 'ORDER BY created_at DESC, name LIMIT $1', [limit]);

function groupsWhere(
  connection: Connection,
  which: string,
  values: readonly unknown[],
): Promise<GroupRecord[]> {
  return connection.read(async (session) => {
    const { rows } = await session.sql(`SELECT name, concurrency, created_at FROM groups ${which}`, values);
    const counts = await groupCounts(
      session,
      rows.map(({ name }) => String(name)),
    );
    return rows.map((row) => ({
      name: String(row.name),
      concurrency: row.concurrency as number | null,
      createdAt: Number(row.created_at),
      counts: counts.get(String(row.name)) ?? noCounts(),
    }));
  });
}

const IS_EMPTY = `(SELECT 1 FROM jobs WHERE group_name = g.name LIMIT 1) IS NULL
  AND (SELECT 1 FROM endings WHERE group_name = g.name LIMIT 1) IS NULL`;
const LOOK = `SELECT g.name, ${IS_EMPTY} AS is_empty FROM groups g WHERE g.name > $1 ORDER BY g.name LIMIT $2`;
const LOCK = 'SELECT name FROM groups WHERE name = ANY($1::text[]) ORDER BY name FOR UPDATE SKIP LOCKED';
const REMOVE = `DELETE FROM groups g WHERE g.name = ANY($1::text[]) AND ${IS_EMPTY} RETURNING name`;

export async function sweepGroups(
  connection: Connection,
  after: string,
  limit: number,
): Promise<SweptGroups> {
  const { rows: seen } = await connection.query(LOOK, [after, limit]);
  const next = seen.length < limit ? null : String(seen.at(-1)?.name);
  const empty = seen.filter((row) => row.is_empty).map((row) => [row.name]);
  if (empty.length === 0) return { removed: 0, next };
  return connection.write(
    async (session) => {
      const { rows: locked } = await session.sql(LOCK, columnsOf(empty, 1));
      const names = columnsOf(
        locked.map(({ name }) => [name]),
        1,
      );
      const { rows: removed } = await session.sql(REMOVE, names);
      await session.sql(
        'DELETE FROM group_counters WHERE group_name = ANY($1::text[])',
        columnsOf(
          removed.map(({ name }) => [name]),
          1,
        ),
      );
      return { removed: removed.length, next };
    },
    { isRepeatable: true },
  );
}

export const groupsOf = (connection: Connection): Groups => ({
  all: (limit) => groups(connection, limit),
  get: (name) => group(connection, name),
  ofNewest: (limit) => groupsOfNewest(connection, limit),
  jobsIn: (name, limit) => jobsInGroup(connection, name, limit),
  sweep: (after, limit) => sweepGroups(connection, after, limit),
});
