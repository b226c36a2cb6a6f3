// Dependencies between jobs. Triggers append outcomes that have dependents to a list. advance() processes a bounded
// part of it in one transaction: it stores the outcome with the dependency, and src/job/flow/dependencies.ts decides
// about the dependent.

import {
  decideBlocked,
  type Dependency,
  type Edge,
  type FailurePolicy,
  outcomeOfGroup,
  outcomeOfState,
  type ParentOutcome,
  type Verdict,
} from '../../job/flow/dependencies.ts';
import { firstRunAt } from '../../job/due.ts';
import type { JobState } from '../../job/job.ts';
import { TRANSITIONS } from '../../job/lifecycle.ts';
import { readinessOf } from '../../job/readiness.ts';
import {
  dependsOnIn,
  EDGE_COLUMNS,
  edgeOf,
  linkOf,
  linksOf,
  rejectCycle,
  unknownParent,
  waitsOf,
} from '../rows/dependency-rows.ts';
import type { Row } from '../rows/rows.ts';
import type { Advanced, Dependencies, Link } from '../store.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Connection } from './connection.ts';
import { groupCounts } from './groups.ts';
import { addHookJobs } from './hooks.ts';
import { tally } from './tally.ts';

/** Stores the dependencies of jobs after `seq`, with the outcomes that are known already. */
export function linkNew(connection: Connection, seq: number, now: number): void {
  const rows = connection
    .sql('SELECT seq, id, group_name, depends_on FROM jobs WHERE seq > ? AND depends_on IS NOT NULL ORDER BY seq')
    .all(seq) as Row[];
  for (const row of rows) for (const [i, parent] of dependsOnIn(row).entries()) addEdge(connection, row, parent, i);
  rejectCycles(
    connection,
    rows.map(({ seq }) => Number(seq)),
  );
  for (const row of rows) decide(connection, Number(row.seq), now);
}

function addEdge(connection: Connection, child: Row, parent: Dependency, position: number): void {
  const found = follow(connection, parent);
  if (!found) throw unknownParent(String(child.id), parent);
  connection
    .sql(
      'INSERT INTO dependencies (job_seq, position, kind, parent, parent_seq, rule, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(Number(child.seq), position, parent.kind, parent.on, found.seq, parent.rule, found.outcome);
}

interface Parent {
  readonly seq: number | null;
  readonly outcome: ParentOutcome | null;
}

/** Marks the parent, so that triggers record its outcome from now on. */
export function follow(connection: Connection, { kind, on }: Dependency): Parent | null {
  if (kind === 'group') {
    const { changes } = connection.sql('UPDATE groups SET followed = 1 WHERE name = ?').run(on);
    return changes === 0 ? null : { seq: null, outcome: outcomeOfGroup(groupCounts(connection, on)) };
  }
  const row = connection.sql('UPDATE jobs SET followed = 1 WHERE id = ? RETURNING seq, state').get(on);
  return row ? { seq: Number(row.seq), outcome: outcomeOfState(row.state as JobState) } : null;
}

/** Selects the unresolved dependencies of the new jobs, and transitively those of their parents. */
const OPEN_WAITS = `
  WITH RECURSIVE waits (kind, ref) AS (
    SELECT 'job', value FROM json_each(?)
    UNION
    SELECT d.kind, coalesce(d.parent_seq, d.parent) FROM waits JOIN dependencies d ON d.job_seq = ref
      WHERE waits.kind = 'job' AND d.outcome IS NULL
    UNION
    SELECT 'job', j.seq FROM waits JOIN jobs j ON j.group_name = ref AND j.state = 'blocked' WHERE waits.kind = 'group')
  SELECT j.id, j.group_name, d.kind, d.parent, d.rule, d.outcome
  FROM waits JOIN jobs j ON j.seq = ref JOIN dependencies d ON d.job_seq = j.seq
  WHERE waits.kind = 'job' AND d.outcome IS NULL`;

/** Throws if one of these blocked jobs depends on itself. */
export function rejectCycles(connection: Connection, seqs: readonly number[]): void {
  if (seqs.length === 0) return;
  const rows = connection.sql(OPEN_WAITS).all(JSON.stringify(seqs)) as Row[];
  rejectCycle(rows.flatMap((row) => waitsOf(String(row.id), row.group_name as string | null, edgeOf(row))));
}

function advance(connection: Connection, limit: number, now: number): Advanced {
  let told = 0;
  for (;;) {
    const ending = connection.sql('SELECT * FROM endings ORDER BY number LIMIT 1').get() as Row | undefined;
    if (!ending) return { told, more: false };
    if (told >= limit) return { told, more: true };
    told += passOn(connection, ending, limit - told, now);
  }
}

/** Passes an outcome on to at most `limit` dependents. Removes it from the list when all have received it. */
function passOn(connection: Connection, ending: Row, limit: number, now: number): number {
  const outcome = outcomeOf(connection, ending);
  const children = outcome === null ? [] : writeOutcome(connection, ending, outcome, limit);
  for (const seq of children) decide(connection, seq, now);
  if (children.length < limit) {
    addHookJobs(connection, ending);
    connection.sql('DELETE FROM endings WHERE number = ?').run(Number(ending.number));
  }
  return Math.max(1, children.length);
}

/** Returns null for a group that is unfinished. */
const outcomeOf = (connection: Connection, { group_name, outcome }: Row): ParentOutcome | null =>
  group_name === null ? (outcome as ParentOutcome) : outcomeOfGroup(groupCounts(connection, String(group_name)));

function writeOutcome(connection: Connection, ending: Row, outcome: ParentOutcome, limit: number): number[] {
  const [where, parent] =
    ending.group_name === null
      ? ["parent_seq = ? AND kind = 'job'", Number(ending.job_seq)]
      : ["parent = ? AND kind = 'group'", String(ending.group_name)];
  const edges = connection
    .sql(`SELECT job_seq, position FROM dependencies WHERE ${where} AND outcome IS NULL LIMIT 0 + ?`)
    .all(parent, limit);
  const write = connection.sql('UPDATE dependencies SET outcome = ? WHERE job_seq = ? AND position = ?');
  for (const edge of edges) write.run(outcome, Number(edge.job_seq), Number(edge.position));
  return [...new Set(edges.map(({ job_seq }) => Number(job_seq)))];
}

const edgesOf = (connection: Connection, seq: number): Edge[] =>
  (
    connection.sql(`SELECT ${EDGE_COLUMNS} FROM dependencies WHERE job_seq = ? ORDER BY position`).all(seq) as Row[]
  ).map(edgeOf);

/** Decides about a blocked job after some or all of its parents have finished. */
export function decide(connection: Connection, seq: number, now: number): void {
  const job = connection
    .sql(
      `SELECT queue, run_at, held, on_dependency_failure FROM jobs WHERE seq = ? AND state = '${TRANSITIONS.unblock.from[0]}'`,
    )
    .get(seq) as Row | undefined;
  if (!job) return;
  const policy = (job.on_dependency_failure ?? 'cancel') as FailurePolicy;
  const verdict = decideBlocked(edgesOf(connection, seq), policy);
  if (verdict) carryOut(connection, seq, job, verdict, now);
}

const UNBLOCK = `
  UPDATE jobs SET state = '${TRANSITIONS.unblock.to}', ready = ?, next_run_at = ?, held = ?, updated_at = ? WHERE seq = ?`;
const FORSAKE = `
  UPDATE jobs SET state = '${TRANSITIONS.forsake.to}', held = NULL, finished_at = $now,
    last_error = $reason, updated_at = $now
  WHERE seq = $seq`;

function carryOut(connection: Connection, seq: number, job: Row, verdict: Verdict, now: number): void {
  if (verdict.event === 'forsake') {
    connection.sql(FORSAKE).run({ $now: now, $reason: verdict.reason, $seq: seq });
    tally(connection, new Tallies().cancelled(String(job.queue)), now);
    return;
  }
  const nextRunAt = firstRunAt(job.run_at as number | null, now);
  const held = (job.held as string | null) ?? verdict.held;
  connection.sql(UNBLOCK).run(readinessOf({ nextRunAt, held }, now), nextRunAt, held, now, seq);
}

function edgesOfJob(connection: Connection, id: string): Edge[] {
  const row = connection.sql('SELECT seq FROM jobs WHERE id = ?').get(id);
  return row ? edgesOf(connection, Number(row.seq)) : [];
}

const CHILDREN = `
  SELECT c.id FROM dependencies d JOIN jobs c ON c.seq = d.job_seq
  WHERE d.kind = 'job' AND d.parent_seq = (SELECT seq FROM jobs WHERE id = ?) ORDER BY c.seq LIMIT 0 + ?`;

const childrenOf = (connection: Connection, id: string, limit: number): string[] =>
  connection
    .sql(CHILDREN)
    .all(id, limit)
    .map((row) => String(row.id));

const LINKS = `${linksOf(
  'IN (SELECT value FROM json_each($jobs))',
  'IN (SELECT value FROM json_each($groups))',
)} LIMIT 0 + $limit`;

function linksAmong(connection: Connection, jobs: readonly string[], groups: readonly string[], limit: number): Link[] {
  const values = { $jobs: JSON.stringify(jobs), $groups: JSON.stringify(groups), $limit: limit };
  return (connection.sql(LINKS).all(values) as Row[]).map(linkOf);
}

export const dependenciesOf = (connection: Connection, clock: () => number, wake: () => void): Dependencies => ({
  ofJob: (id) => connection.read(() => edgesOfJob(connection, id)),
  childrenOf: (id, limit) => connection.read(() => childrenOf(connection, id, limit)),
  linksOf: (jobs, groups, limit) => connection.read(() => linksAmong(connection, jobs, groups, limit)),
  advance: async (limit) => {
    const advanced = await connection.write(() => advance(connection, limit, clock()));
    wake();
    return advanced;
  },
});
