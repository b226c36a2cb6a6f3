// Deleting finished jobs by age or number.

import { type JobState, NON_FINAL_STATES } from '../../job/job.ts';
import { finalAmong } from '../../job/state-sets.ts';
import { quoted } from '../rows/rows.ts';
import type { PruneQuery, Removed } from '../store.ts';
import { type Database, native, runAll } from '../sql/database.ts';
import { literal, raw, type Sql, sql } from '../sql/statement.ts';

export function prunable(database: Database, query: PruneQuery): Promise<number> {
  const counts = finishedJobs(query).map((jobs) => sql`SELECT count(*) AS n ${jobs}`);
  return database.read(
    function* () {
      return (yield* runAll(counts)).reduce((sum, { rows }) => sum + Number(rows[0]?.n), 0);
    },
    { isLong: true },
  );
}

/**
 * Deletes at most `limit` jobs, those that finished first. Skips jobs that another transaction is pruning or retrying.
 * `remove` is the store's own implementation, including its proof.
 */
export function prune<Connection>(
  database: Database,
  query: PruneQuery,
  limit: number,
  remove: (connection: Connection, seqs: readonly number[]) => Removed | Promise<Removed>,
): Promise<Removed> {
  const { dialect } = database;
  const end = sql`ORDER BY finished_at ${dialect.limit(limit)} ${dialect.lockingFree}`;
  const oldest = finishedJobs(query).map((jobs) => sql`SELECT seq ${jobs} ${end}`);
  return database.write(
    function* () {
      const found = yield* runAll(oldest);
      const seqs = found.flatMap(({ rows }) => rows.map(({ seq }) => Number(seq))).slice(0, limit);
      return yield* native((connection: Connection) => remove(connection, seqs));
    },
    { isLong: true },
  );
}

/**
 * Keeps the jobs of a group that is unfinished, or whose outcome its dependents have not received: without its dead
 * jobs, the group would count as successful and its dependents would run.
 */
const GROUP_HAS_ENDED = raw(`(group_name IS NULL OR (
  coalesce((SELECT sum(c.n) FROM group_counters c
    WHERE c.group_name = jobs.group_name AND c.state IN (${quoted(NON_FINAL_STATES)})), 0) = 0
  AND NOT EXISTS (SELECT 1 FROM dependencies d
    WHERE d.kind = 'group' AND d.parent = jobs.group_name AND d.outcome IS NULL)))`);

/** Waiting and running jobs are never pruned. */
const finishedJobs = (query: PruneQuery): Sql[] =>
  finalAmong(query.states).map((state) => finishedJobsIn(state, query));

function finishedJobsIn(state: JobState, { queue, finishedBefore, keep = 0 }: PruneQuery): Sql {
  // A duration such as 0.0005 s yields a fraction of a millisecond, but time columns are integers.
  const before = Math.ceil(finishedBefore ?? Number.MAX_SAFE_INTEGER);
  const ofQueue = queue === undefined ? sql`` : sql` AND queue = ${queue}`;
  const finished = sql`FROM jobs WHERE state = ${state} AND finished_at IS NOT NULL${ofQueue}`;
  const old = sql`${finished} AND finished_at < ${before} AND ${GROUP_HAS_ENDED}`;
  if (keep === 0) return old;
  const lastKept = sql`
    SELECT finished_at, seq ${finished} ORDER BY finished_at DESC, seq DESC LIMIT 1 OFFSET ${literal(keep - 1)}`;
  return sql`${old} AND (finished_at, seq) < (${lastKept})`;
}
