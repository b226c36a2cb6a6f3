// Jobs that depend on others. Triggers record finished jobs that have dependents in `endings`. advance() processes a bounded
// number of them per transaction: it writes the outcome to the edge, and src/job/flow/dependencies.ts decides about the dependent.
// A dependent is locked before its edges are read: if two transactions write to it, the second one sees the writes of the first.

import {
  decideBlocked,
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
import { noCounts } from '../sql/overview.ts';
import type { Row } from '../rows/rows.ts';
import type { Advanced, Link } from '../store.ts';
import { Tallies } from '../../series/tallies.ts';
import type { Connection, Session } from './session/connection.ts';
import { groupCounts } from './groups.ts';
import { addHookJobs } from './hooks.ts';
import { lockFor } from './session/exclusive.ts';
import { arrayOf, columnsOf, currentTimeIn } from './rows.ts';
import { tally } from './tally.ts';
import { wakeWorkers } from './wake.ts';

/** Stores the dependencies of new jobs. `rows` have seq, id, group_name and depends_on. */
export async function linkNew(
  connection: Connection,
  session: Session,
  rows: readonly Row[],
  time: number,
): Promise<void> {
  if (rows.length === 0) return;
  if (rows.some(({ group_name }) => group_name !== null)) serialiseCycleChecks(connection, session);
  const children = rows.map((row) => ({ row, dependsOn: dependsOnIn(row) }));
  const all = children.flatMap(({ dependsOn }) => dependsOn);
  const named = (kind: Edge['kind']) => [...new Set(all.filter((one) => one.kind === kind).map(({ on }) => on))];
  const [jobs, groups] = [await followJobs(session, named('job')), await followGroups(session, named('group'))];
  const edges = children.flatMap(({ row, dependsOn }) =>
    dependsOn.map((dependency, position) => {
      const { kind, on, rule } = dependency;
      const parent = kind === 'job' ? jobs.get(on) : groups.get(on);
      if (!parent) throw unknownParent(String(row.id), dependency);
      return [row.seq, position, kind, on, parent.seq, rule, parent.outcome];
    }),
  );
  await session.sql(ADD_EDGES, columnsOf(edges, 7));
  const seqs = rows.map(({ seq }) => Number(seq));
  await rejectCycles(session, seqs);
  await decideAll(session, seqs, time);
}

const ADD_EDGES = `
  INSERT INTO dependencies (job_seq, position, kind, parent, parent_seq, rule, outcome)
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])`;

export interface Parent {
  readonly seq: number | null;
  readonly outcome: ParentOutcome | null;
}

const LOCK_JOBS = 'SELECT seq FROM jobs WHERE id = ANY($1::text[]) ORDER BY seq FOR UPDATE';
const FOLLOW_JOBS = 'UPDATE jobs SET followed = 1 WHERE id = ANY($1::text[]) RETURNING seq, id, state';

/** Records from now on when these jobs finish. A job that is just finishing has finished when the lock is acquired. */
export async function followJobs(session: Session, ids: readonly string[]): Promise<Map<string, Parent>> {
  if (ids.length === 0) return new Map();
  const given = [arrayOf(ids)];
  const [, { rows }] = await Promise.all([session.sql(LOCK_JOBS, given), session.sql(FOLLOW_JOBS, given)]);
  return new Map(
    rows.map(({ id, seq, state }) => [String(id), { seq: Number(seq), outcome: outcomeOfState(state as JobState) }]),
  );
}

const FOLLOW_GROUPS = `
  WITH locked AS (SELECT name FROM groups WHERE name = ANY($1::text[]) ORDER BY name FOR NO KEY UPDATE)
  UPDATE groups SET followed = 1 FROM locked WHERE groups.name = locked.name RETURNING groups.name`;

export async function followGroups(session: Session, names: readonly string[]): Promise<Map<string, Parent>> {
  if (names.length === 0) return new Map();
  const { rows } = await session.sql(FOLLOW_GROUPS, [arrayOf(names)]);
  const found = rows.map(({ name }) => String(name));
  const counts = await groupCounts(session, found);
  const outcome = (name: string) => outcomeOfGroup(counts.get(name) ?? noCounts());
  return new Map(found.map((name) => [name, { seq: null, outcome: outcome(name) }]));
}

/** All unfinished direct and indirect dependencies of the new jobs. */
const OPEN_WAITS = `
  WITH RECURSIVE waits (seq, group_name) AS (
    SELECT seq, NULL::text COLLATE "C" FROM unnest($1::bigint[]) AS given (seq)
    UNION
    SELECT next.seq, next.group_name FROM waits CROSS JOIN LATERAL (
      SELECT d.parent_seq AS seq, CASE WHEN d.kind = 'group' THEN d.parent END AS group_name
        FROM dependencies d WHERE d.job_seq = waits.seq AND d.outcome IS NULL
      UNION ALL
      SELECT j.seq, NULL FROM jobs j WHERE j.group_name = waits.group_name AND j.state = 'blocked') next)
  SELECT j.id, j.group_name, d.kind, d.parent, d.rule, d.outcome
  FROM waits JOIN jobs j ON j.seq = waits.seq JOIN dependencies d ON d.job_seq = j.seq
  WHERE d.outcome IS NULL`;

/**
 * Makes transactions that may close a cycle together wait for each other, so that the second one sees what the first one
 * wrote. Only a blocked job in a group can have dependents in a transaction that does not see it: other jobs are named
 * by their IDs, which have to exist.
 */
export const serialiseCycleChecks = (connection: Connection, session: Session): void =>
  lockFor(connection, session, 'check for cycles');

/** Throws if one of these blocked jobs depends on itself. */
export async function rejectCycles(session: Session, seqs: readonly number[]): Promise<void> {
  const { rows } = await session.sql(OPEN_WAITS, [seqs]);
  rejectCycle(rows.flatMap((row) => waitsOf(String(row.id), row.group_name as string | null, edgeOf(row))));
}

export const HAS_ENDINGS = '(SELECT number FROM endings LIMIT 1) IS NOT NULL';

const TAKE_ENDINGS = 'SELECT * FROM endings ORDER BY number LIMIT $1 FOR UPDATE SKIP LOCKED';

export function advance(connection: Connection, limit: number): Promise<Advanced> {
  return connection.write(
    async (session) => {
      const { rows: endings } = await session.sql(TAKE_ENDINGS, [limit]);
      if (endings.length === 0) return { told: 0, more: false };
      const outcomes = await outcomesOf(session, endings);
      const { edges, skipped } = await writeOutcomes(session, outcomes, limit);
      const children = [...new Set(edges)];
      await decideAll(session, children, await currentTimeIn(connection, session));
      const isCutShort = edges.length >= limit;
      const all = skipped ? await withoutOpenEdges(session, endings, outcomes.groups) : endings;
      const processed = isCutShort ? [] : all;
      const hooks = processed.length > 0 ? await addHookJobs(connection, session, processed) : 0;
      if (processed.length > 0) session.send(FORGET_ENDINGS, [processed.map(({ number }) => number)]);
      if (children.length > 0 || hooks > 0) wakeWorkers(connection, session);
      // Other jobs may in turn depend on the dependents that this has finished.
      return {
        told: children.length + hooks,
        more: isCutShort || endings.length === limit || children.length > 0,
      };
    },
    { isRepeatable: true },
  );
}

const FORGET_ENDINGS = 'DELETE FROM endings WHERE number = ANY($1::bigint[])';
const STILL_OPEN = `
  SELECT number FROM endings e WHERE number = ANY($1::bigint[]) AND EXISTS (
    SELECT 1 FROM dependencies d WHERE d.outcome IS NULL AND d.kind = 'job' AND d.parent_seq = e.job_seq)`;
const STILL_OPEN_GROUPS = `
  SELECT DISTINCT parent FROM dependencies WHERE outcome IS NULL AND kind = 'group' AND parent = ANY($1::text[])`;

/**
 * The endings without open edges. An ending stays on the list while an edge is open, because another transaction that has locked
 * the edge may leave it unchanged. A later turn looks again.
 */
async function withoutOpenEdges(session: Session, endings: readonly Row[], ended: Outcomes['groups']): Promise<Row[]> {
  const [jobs, groups] = await Promise.all([
    session.sql(STILL_OPEN, [endings.map(({ number }) => number)]),
    session.sql(STILL_OPEN_GROUPS, [[...ended.keys()]]),
  ]);
  const numbers = new Set(jobs.rows.map(({ number }) => Number(number)));
  const names = new Set(groups.rows.map(({ parent }) => String(parent)));
  return endings.filter(({ number, group_name: group }) =>
    group === null ? !numbers.has(Number(number)) : !names.has(String(group)),
  );
}

interface Outcomes {
  readonly jobs: ReadonlyMap<number, ParentOutcome>;
  readonly groups: ReadonlyMap<string, ParentOutcome>;
}

async function outcomesOf(session: Session, endings: readonly Row[]): Promise<Outcomes> {
  const names = endings.flatMap(({ group_name }) => (group_name === null ? [] : [String(group_name)]));
  const counts = await groupCounts(session, [...new Set(names)]);
  const ended = names.flatMap((name): [string, ParentOutcome][] => {
    const outcome = outcomeOfGroup(counts.get(name) ?? noCounts());
    return outcome === null ? [] : [[name, outcome]];
  });
  const jobs = endings.filter(({ group_name }) => group_name === null);
  return {
    jobs: new Map(jobs.map(({ job_seq, outcome }) => [Number(job_seq), outcome as ParentOutcome])),
    groups: new Map(ended),
  };
}

const ON_JOBS = "kind = 'job' AND parent_seq = ANY($1::bigint[]) AND outcome IS NULL";
const onGroups = (names: string): string => `kind = 'group' AND parent = ANY(${names}::text[]) AND outcome IS NULL`;
const OPEN_EDGES = (which: string): string => `
  SELECT job_seq, position, kind, parent, parent_seq FROM dependencies WHERE ${which}
  ORDER BY job_seq, position LIMIT $2 FOR UPDATE SKIP LOCKED`;
const OPEN_ON_JOBS = OPEN_EDGES(ON_JOBS);
const OPEN_ON_GROUPS = OPEN_EDGES(onGroups('$1'));
const COUNT_OPEN = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM dependencies WHERE ${ON_JOBS} LIMIT $3) of_jobs)
    + (SELECT count(*) FROM (SELECT 1 FROM dependencies WHERE ${onGroups('$2')} LIMIT $3) of_groups) AS n`;
const WRITE_OUTCOMES = `
  UPDATE dependencies SET outcome = given.outcome
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS given (job_seq, position, outcome)
  WHERE dependencies.job_seq = given.job_seq AND dependencies.position = given.position`;

interface Written {
  /** The jobs whose edges were written. */
  readonly edges: readonly number[];
  /** Whether another transaction held some of them. */
  readonly skipped: boolean;
}

async function writeOutcomes(session: Session, { jobs, groups }: Outcomes, limit: number): Promise<Written> {
  const names = arrayOf([...groups.keys()]);
  const [open, onJobs, onGroups] = await Promise.all([
    session.sql(COUNT_OPEN, [[...jobs.keys()], names, limit]),
    session.sql(OPEN_ON_JOBS, [[...jobs.keys()], limit]),
    session.sql(OPEN_ON_GROUPS, [names, limit]),
  ]);
  const edges = [...onJobs.rows, ...onGroups.rows].map((row) => [
    row.job_seq,
    row.position,
    row.kind === 'job' ? jobs.get(Number(row.parent_seq)) : groups.get(String(row.parent)),
  ]);
  if (edges.length > 0) await session.sql(WRITE_OUTCOMES, columnsOf(edges, 3));
  return { edges: edges.map(([seq]) => Number(seq)), skipped: edges.length < Number(open.rows[0]?.n) };
}

const BLOCKED = `
  SELECT seq, queue, run_at, held, on_dependency_failure FROM jobs
  WHERE seq = ANY($1::bigint[]) AND state = '${TRANSITIONS.unblock.from[0]}' ORDER BY seq FOR UPDATE`;
const EDGES = `
  SELECT job_seq, ${EDGE_COLUMNS} FROM dependencies WHERE job_seq = ANY($1::bigint[]) ORDER BY job_seq, position`;

/** Decides about jobs some or all of whose dependencies have finished. */
export async function decideAll(session: Session, seqs: readonly number[], time: number): Promise<void> {
  if (seqs.length === 0) return;
  const [{ rows: jobs }, { rows: edges }] = await Promise.all([
    session.sql(BLOCKED, [seqs]),
    session.sql(EDGES, [seqs]),
  ]);
  const bySeq = Map.groupBy(edges, ({ job_seq }) => Number(job_seq));
  const tallies = new Tallies();
  const decided = jobs.flatMap((job) => {
    const policy = (job.on_dependency_failure ?? 'cancel') as FailurePolicy;
    const verdict = decideBlocked((bySeq.get(Number(job.seq)) ?? []).map(edgeOf), policy);
    if (verdict?.event === 'forsake') tallies.cancelled(String(job.queue));
    return verdict ? [cellsOf(job, verdict, time)] : [];
  });
  if (decided.length > 0) await session.sql(CARRY_OUT, [time, ...columnsOf(decided, 7)]);
  tally(session, tallies, time);
}

const CARRY_OUT = `
  UPDATE jobs SET state = given.state, ready = given.ready, next_run_at = given.next_run_at, held = given.held,
    finished_at = given.finished_at, last_error = coalesce(given.reason, last_error), updated_at = $1
  FROM unnest($2::bigint[], $3::text[], $4::smallint[], $5::bigint[], $6::text[], $7::bigint[], $8::text[])
    AS given (seq, state, ready, next_run_at, held, finished_at, reason)
  WHERE jobs.seq = given.seq`;

function cellsOf(job: Row, verdict: Verdict, time: number): unknown[] {
  const { to } = TRANSITIONS[verdict.event];
  if (verdict.event === 'forsake') return [job.seq, to, 0, null, null, time, verdict.reason];
  const nextRunAt = firstRunAt(job.run_at as number | null, time);
  const held = (job.held as string | null) ?? verdict.held;
  return [job.seq, to, readinessOf({ nextRunAt, held }, time), nextRunAt, held, null, null];
}

export async function edgesOfJob(connection: Connection, id: string): Promise<Edge[]> {
  if (id.includes('\0')) return [];
  const { rows } = await connection.query(
    `SELECT ${EDGE_COLUMNS} FROM dependencies WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) ORDER BY position`,
    [id],
  );
  return rows.map(edgeOf);
}

const CHILDREN = `
  SELECT c.id FROM dependencies d JOIN jobs c ON c.seq = d.job_seq
  WHERE d.kind = 'job' AND d.parent_seq = (SELECT seq FROM jobs WHERE id = $1) ORDER BY c.seq LIMIT $2`;

export async function childrenOf(connection: Connection, id: string, limit: number): Promise<string[]> {
  if (id.includes('\0')) return [];
  const { rows } = await connection.query(CHILDREN, [id, limit]);
  return rows.map((row) => String(row.id));
}

const LINKS = `${linksOf('= ANY($1::text[])', '= ANY($2::text[])')} LIMIT $3`;

export async function linksAmong(
  connection: Connection,
  jobs: readonly string[],
  groups: readonly string[],
  limit: number,
): Promise<Link[]> {
  const { rows } = await connection.query(LINKS, [jobs, groups, limit]);
  return rows.map(linkOf);
}
