// Groups of jobs: their properties, and counters kept by triggers.

import { type JobState, type NewJob, NON_FINAL_STATES } from '../../job/job.ts';
import { groupGate } from '../../job/flow/concurrency.ts';
import { groupsIn } from '../rows/group-rows.ts';
import { noCounts } from '../sql/overview.ts';
import { quoted } from '../rows/rows.ts';
import type { Connection } from './connection.ts';

const KEEP = `
  INSERT INTO groups (name, concurrency, hooks, followed, created_at)
  VALUES ($name, $concurrency, $hooks, $hooks IS NOT NULL, $now)
  ON CONFLICT DO UPDATE SET concurrency = coalesce(excluded.concurrency, concurrency),
    hooks = coalesce(excluded.hooks, hooks), followed = max(followed, excluded.followed)
  WHERE excluded.concurrency IS NOT NULL OR excluded.hooks IS NOT NULL`;

/** Stores the groups of new jobs. Runs within the transaction that stores the jobs. */
export function keepGroups(connection: Connection, jobs: readonly NewJob[], now: number): void {
  for (const { name, concurrency, hooks } of groupsIn(jobs)) {
    connection.sql(KEEP).run({ $name: name, $concurrency: concurrency, $hooks: hooks, $now: now });
    if (concurrency !== null) limitMembers(connection, name);
  }
}

/** Applies a new limit to existing jobs too. A higher limit frees slots. */
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
