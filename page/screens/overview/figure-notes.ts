// Additional lines below the job counts of the overview.

import { now } from '../../core/clock.ts';
import { age, count, relative } from '../../core/format.ts';
import type { JobState, Stats } from '../../core/types.ts';

export function notesOf(state: JobState, stats: Stats): string[] {
  const { oldest_pending_seconds: oldest, held, workers, active_workers, next_retry_at } = stats;
  switch (state) {
    case 'pending':
      return [
        ...(oldest === null ? [] : [`oldest: ${age(oldest * 1000)}`]),
        ...(held > 0 ? [`${count(held)} held in total`] : []),
      ];
    case 'processing':
      return [`${workers.busy} of ${active_workers} workers busy`];
    case 'failed':
      return next_retry_at === null ? [] : [`next retry ${soon(next_retry_at)}`];
    default:
      return [];
  }
}

const soon = (at: string): string => relative(Math.max(Date.parse(at), now.value), now.value);
