// Removing finished jobs by age or number.

import type { JobState } from '../../job/job.ts';
import { GROUP_HAS_ENDED, meaningOf } from '../sql/prune-query.ts';
import type { PruneQuery, Removed } from '../store.ts';
import { removeSeqs } from './change.ts';
import type { Connection } from './connection.ts';

export function prunable(connection: Connection, query: PruneQuery): number {
  return meaningOf(query).states.reduce((sum, state) => {
    const { where, values } = finishedJobs(state, query);
    return sum + Number(connection.sql(`SELECT count(*) AS n FROM jobs WHERE ${where}`).get(values)?.n);
  }, 0);
}

/** Removes at most `limit` jobs, the longest finished first. */
export function prune(connection: Connection, query: PruneQuery, limit: number): Removed {
  const seqs = meaningOf(query).states.flatMap((state) => {
    const { where, values } = finishedJobs(state, query);
    const rows = connection
      .sql(`SELECT seq FROM jobs WHERE ${where} ORDER BY finished_at LIMIT $limit`)
      .all({ ...values, $limit: limit });
    return rows.map((row) => Number(row.seq));
  });
  return removeSeqs(connection, seqs.slice(0, limit));
}

function finishedJobs(
  state: JobState,
  query: PruneQuery,
): { where: string; values: Record<string, string | number> } {
  const { finishedBefore, keep } = meaningOf(query);
  const finished = `state = $state AND finished_at IS NOT NULL ${query.queue === undefined ? '' : 'AND queue = $queue'}`;
  return {
    where: `${finished} AND finished_at < $before AND ${GROUP_HAS_ENDED} AND seq NOT IN (
      SELECT seq FROM jobs WHERE ${finished} ORDER BY finished_at DESC, seq DESC LIMIT $keep)`,
    values: {
      $state: state,
      $before: finishedBefore,
      $keep: keep,
      ...(query.queue === undefined ? {} : { $queue: query.queue }),
    },
  };
}
