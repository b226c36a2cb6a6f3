// Groups of jobs, and their counters, which triggers append to.
// A transaction that locks both jobs and groups locks the jobs first.

import { type JobState, type NewJob, NON_FINAL_STATES } from '../../job/job.ts';
import { groupsIn } from '../rows/group-rows.ts';
import { noCounts } from '../sql/overview.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { Session } from './session/connection.ts';
import { arrayOf, columnsOf, now } from './rows.ts';

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
  const given = arrayOf(names);
  for (let kept = 0; kept < names.length; ) {
    const [, , { count }] = await Promise.all([
      session.sql(ADD, [given, givenNow]),
      limited.length > 0 && session.sql(AWAIT_MEMBERS, [limited]),
      session.sql(KEEP, [given]),
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

/** Stores the limits and hooks of groups. Call it last, because it locks jobs and then their groups. */
export function limitGroups(session: Session, jobs: readonly NewJob[]): void {
  const groups = groupsIn(jobs);
  const limits = groups.flatMap(({ name, concurrency }) => (concurrency === null ? [] : [[name, concurrency]]));
  if (limits.length > 0) {
    const names = columnsOf(limits, 1);
    session.send(LIMIT_MEMBERS, names);
    session.send(LOOK_AT_GATES, names);
    session.send(LIMIT, columnsOf(limits, 2));
  }
  const hooks = groups.flatMap(({ name, hooks }) => (hooks === null ? [] : [[name, hooks]]));
  if (hooks.length > 0) session.send(HOOKS, columnsOf(hooks, 2));
}

/** A new limit also applies to existing jobs, and a higher one makes more of them ready. */
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
  const { rows } = await session.sql(COUNTS, [arrayOf(names)]);
  return new Map(rows.map((row) => [String(row.group_name), countsOf(row)]));
}

const countsOf = (row: Row | undefined): Counts => ({ ...noCounts(), ...(row?.counts as Partial<Counts>) });
