// Texts for why a run created no job, or an extra one, shared by the command line and the dashboard.

import type { Tick } from './schedule.ts';

const REASONS: Readonly<Record<NonNullable<Tick['reason']>, string>> = {
  missed: 'no worker was running in time',
  too_old: 'older than --catch-up-window',
  over_limit: 'more missed runs than --catch-up-max',
  overlap: 'an earlier run was unfinished',
  replaced: 'replaced by a later run',
  paused: 'the schedule was paused',
  draining: 'its queue was draining',
  rejected: 'rejected by the policy or by its recipe',
  not_unique: 'a job with the same unique key existed',
  by_hand: 'started manually',
};

/** Unknown reasons from newer versions are shown unchanged. */
export const reasonInWords = (reason: string): string =>
  (REASONS as Readonly<Record<string, string>>)[reason] ?? reason;

/** Error text of a job that was cancelled in favour of a later run. */
export const TOOK_ITS_PLACE = 'replaced by a later run of its schedule';
