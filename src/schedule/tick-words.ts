// Texts for why a run created no job, or an extra one, shared by the command line and the dashboard.

import type { Tick } from './schedule.ts';

const REASONS: Readonly<Record<NonNullable<Tick['reason']>, string>> = {
  missed: 'no worker was running in time',
  too_old: 'older than the window of --catch-up-window',
  over_limit: 'more ticks than --catch-up-max',
  overlap: 'an earlier job was unfinished',
  replaced: 'a later tick took its place',
  paused: 'the schedule was paused',
  draining: 'its queue was being drained',
  refused: 'the policy of the queue, or its recipe, does not allow its job',
  not_unique: 'there was a job with its unique key',
  by_hand: 'by hand',
};

/** Unknown reasons from newer versions are shown unchanged. */
export const reasonInWords = (reason: string): string =>
  (REASONS as Readonly<Record<string, string>>)[reason] ?? reason;

/** Error text of a job that was cancelled in favour of a later run. */
export const TOOK_ITS_PLACE = 'a later tick of its schedule took its place';
