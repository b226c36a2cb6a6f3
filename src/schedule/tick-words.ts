// Why a tick made no job, or made one out of turn, in words: the same at the command line and on the page.

import type { Tick } from './schedule.ts';

const REASONS: Readonly<Record<NonNullable<Tick['reason']>, string>> = {
  missed: 'no worker was running in time',
  too_old: 'older than --catch-up-window',
  over_limit: 'more missed runs than --catch-up-max',
  overlap: 'an earlier run was unfinished',
  replaced: 'replaced by a later run',
  paused: 'the schedule was paused',
  draining: 'its queue was draining',
  refused: 'rejected by the policy or by its recipe',
  not_unique: 'a job with the same unique key existed',
  by_hand: 'started manually',
};

/** One that a newer version wrote is said as it is. */
export const reasonInWords = (reason: string): string =>
  (REASONS as Readonly<Record<string, string>>)[reason] ?? reason;

/** What is said of a job that was cancelled so that a later one could start. */
export const TOOK_ITS_PLACE = 'replaced by a later run of its schedule';
