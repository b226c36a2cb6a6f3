// Jobs that belong together: what belongs to the group itself, and counters kept by triggers.

import { type JobState, type NewJob, NON_FINAL_STATES } from '../../job/job.ts';
import { groupGate } from '../../job/flow/concurrency.ts';
import { groupsIn, jobsIn } from '../rows/group-rows.ts';
import { noCounts } from '../sql/overview.ts';
import { quoted } from '../rows/rows.ts';
import type { GroupedJob, GroupRecord, Groups, SweptGroups } from '../store.ts';
import type { Connection } from './connection.ts';

const KEEP = `
  INSERT INTO groups (name, concurrency, hooks, followed, created_at)
  VALUES ($name, $concurrency, $hooks, $hooks IS NOT NULL, $now)
  ON CONFLICT DO UPDATE SET concurrency = coalesce(excluded.concurrency, concurrency),
    hooks = coalesce(excluded.hooks, hooks), followed = max(followed, excluded.followed)
  WHERE excluded.concurrency IS NOT NULL OR excluded.hooks IS NOT NULL`;

/** The groups of new jobs are there afterwards. Within the transaction that stores the jobs. */
export function keepGroups(connection: Connection, jobs: readonly NewJob[], now: number): void {
  for (const { name, concurrency, hooks } of groupsIn(jobs)) {
    connection.sql(KEEP).run({ $name: name, $concurrency: concurrency, $hooks: hooks, $now: now });
    if (concurrency !== null) limitMembers(connection, name);
  }
}

/** Jobs that were there before the group had a limit are held to it too; and a wider one lets in more. */
function limitMembers(connection: Connection, name: string): void {
  connection.sql(LIMIT_MEMBERS).run(name);
  connection.sql('INSERT OR IGNORE INTO freed_gates VALUES (?)').run(groupGate(name));
}

const LIMIT_MEMBERS = `
  UPDATE jobs SET gated = 1 WHERE group_name = ? AND gated = 0 AND state IN (${quoted(NON_FINAL_STATES)})`;

export function groupCounts(connection: Connection, name: string): Record<JobState, number> {
  const counts = noCounts();
  const rows = connection.sql('SELECT state, n FROM group_counters WHERE group_name = ?').all(name);
  for (const { state, n } of rows) counts[state as JobState] = Number(n);
  return counts;
}

export function group(connection: Connection, name: string): GroupRecord | null {
  const row = connection.sql('SELECT name, concurrency, created_at FROM groups WHERE name = ?').get(name);
  if (!row) return null;
  return {
    name,
    concurrency: row.concurrency as number | null,
    createdAt: Number(row.created_at),
    counts: groupCounts(connection, name),
  };
}

export const groupsOfNewest = (connection: Connection, limit: number): GroupedJob[] =>
  connection
    .sql('SELECT id, group_name FROM jobs ORDER BY seq DESC LIMIT 0 + ?')
    .all(limit)
    .map((row) => ({ id: String(row.id), group: row.group_name as string | null }));

const JOBS_IN = jobsIn('$name', '0 + $limit');

export const jobsInGroup = (connection: Connection, name: string, limit: number): string[] =>
  connection
    .sql(JOBS_IN)
    .all({ $name: name, $limit: limit })
    .map(({ id }) => String(id));

export function groups(connection: Connection, limit: number | null): GroupRecord[] {
  const rows = connection
    .sql('SELECT name FROM groups ORDER BY created_at DESC, name LIMIT 0 + ?')
    .all(limit ?? -1);
  return rows.map(({ name }) => group(connection, String(name))).filter((found) => found !== null);
}

const EMPTY = `
  SELECT g.name, NOT EXISTS (SELECT 1 FROM jobs WHERE group_name = g.name)
    AND NOT EXISTS (SELECT 1 FROM endings WHERE group_name = g.name) AS is_empty
  FROM groups g WHERE g.name > ? ORDER BY g.name LIMIT ?`;

/** Looks without a lock first: there is rarely anything to remove. */
export async function sweepGroups(
  connection: Connection,
  after: string,
  limit: number,
): Promise<SweptGroups> {
  const look = () => connection.sql(EMPTY).all(after, limit);
  const seen = await connection.read(look);
  const next = seen.length < limit ? null : String(seen.at(-1)?.name);
  if (!seen.some((row) => row.is_empty)) return { removed: 0, next };
  return connection.write(() => {
    const empty = look().filter((row) => row.is_empty);
    for (const { name } of empty) forget(connection, String(name));
    return { removed: empty.length, next };
  });
}

export function forget(connection: Connection, name: string): void {
  connection.sql('DELETE FROM groups WHERE name = ?').run(name);
  connection.sql('DELETE FROM group_counters WHERE group_name = ?').run(name);
}

export const groupsOf = (connection: Connection): Groups => ({
  all: (limit) => connection.read(() => groups(connection, limit)),
  get: (name) => connection.read(() => group(connection, name)),
  ofNewest: (limit) => connection.read(() => groupsOfNewest(connection, limit)),
  jobsIn: (name, limit) => connection.read(() => jobsInGroup(connection, name, limit)),
  sweep: (after, limit) => sweepGroups(connection, after, limit),
});
