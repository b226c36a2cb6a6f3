// What a prune query means, in every store: which states it is about, what counts as old, and how many are kept.

import { type JobState, NON_FINAL_STATES } from '../../job/job.ts';
import { finalAmong } from '../../job/state-sets.ts';
import { quoted } from '../rows/rows.ts';
import type { PruneQuery } from '../store.ts';

export interface PruneMeaning {
  /** Only final ones: a job that waits or runs is never pruned. */
  readonly states: readonly JobState[];
  /** Jobs that finished before this time; absent: of any age. */
  readonly finishedBefore: number;
  /** So many of the newest of each state stay, whatever their age. */
  readonly keep: number;
}

export const meaningOf = ({ states, finishedBefore, keep }: PruneQuery): PruneMeaning => ({
  states: finalAmong(states),
  // A duration such as 0.0005 s gives a fraction of a millisecond, which no column of a time can be compared with.
  finishedBefore: Math.ceil(finishedBefore ?? Number.MAX_SAFE_INTEGER),
  keep: keep ?? 0,
});

/**
 * Spares the jobs of a group that is unfinished, or whose end was not passed on yet: without its dead jobs the group would
 * count as successful, and its dependents would run.
 */
export const GROUP_HAS_ENDED = `(group_name IS NULL OR (
  coalesce((SELECT sum(c.n) FROM group_counters c
    WHERE c.group_name = jobs.group_name AND c.state IN (${quoted(NON_FINAL_STATES)})), 0) = 0
  AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.group_name = jobs.group_name)))`;
