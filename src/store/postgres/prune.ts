// Removing finished jobs by age or number.

import type { JobState } from '../../job/job.ts';
import { GROUP_HAS_ENDED, meaningOf } from '../sql/prune-query.ts';
import type { PruneQuery, Removed } from '../store.ts';
import { removeSeqs } from './change.ts';
import { type Connection, LONG_MS } from './session/connection.ts';
import { PROOF_IS_KEPT_MS } from './session/transaction.ts';

export function prunable(connection: Connection, query: PruneQuery): Promise<number> {
  return connection.read(async (session) => {
    const counts = await Promise.all(
      meaningOf(query).states.map((state) => {
        const { where, values } = finishedJobs(state, query);
        return session.sql(`SELECT count(*) AS n FROM jobs WHERE ${where}`, values);
      }),
    );
    return counts.reduce((sum, { rows }) => sum + Number(rows[0]?.n), 0);
  }, LONG_MS);
}

/** Removes at most `limit` jobs, the longest finished first. Jobs that others prune or retry at this moment are skipped. */
export function prune(connection: Connection, query: PruneQuery, limit: number): Promise<Removed> {
  return connection.write(
    async (session) => {
      const found = await Promise.all(
        meaningOf(query).states.map((state) => {
          const { where, values } = finishedJobs(state, sparingProofs(connection, query));
          return session.sql(
            `SELECT seq FROM jobs WHERE ${where} ORDER BY finished_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
            values,
          );
        }),
      );
      const seqs = found.flatMap(({ rows }) => rows.map((row) => Number(row.seq)));
      return removeSeqs(connection, session, seqs.slice(0, limit));
    },
    { withinMs: LONG_MS },
  );
}

/** Retention leaves the rows of young jobs, which prove to a client that lost the answer to its commit that it enqueued them. */
const sparingProofs = (connection: Connection, query: PruneQuery): PruneQuery =>
  query.isByRetention
    ? {
        ...query,
        finishedBefore: Math.min(
          meaningOf(query).finishedBefore,
          connection.estimatedNow() - PROOF_IS_KEPT_MS,
        ),
      }
    : query;

/** Keeping the newest few means removing those that finished before the last one kept. */
function finishedJobs(state: JobState, query: PruneQuery): { where: string; values: unknown[] } {
  const { finishedBefore, keep } = meaningOf(query);
  const values: unknown[] = [state, finishedBefore];
  const ofQueue = query.queue === undefined ? '' : `AND queue = $${values.push(query.queue)}::text`;
  const finished = `state = $1 AND finished_at IS NOT NULL ${ofQueue}`;
  const before = `${finished} AND finished_at < $2 AND ${GROUP_HAS_ENDED}`;
  if (keep === 0) return { where: before, values };
  const lastKept = `SELECT finished_at, seq FROM jobs WHERE ${finished}
    ORDER BY finished_at DESC, seq DESC OFFSET ${keep - 1} LIMIT 1`;
  return { where: `${before} AND (finished_at, seq) < (${lastKept})`, values };
}
