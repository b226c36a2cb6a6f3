// One thing that a job waits for.

import type { Job } from '../../job/job.ts';
import { BY_HAND } from '../../job/waiting-change.ts';
import { isoTime, type Json } from '../../job/wire.ts';

export interface Wait {
  readonly reason:
    | 'other_jobs'
    | 'held'
    | 'its_time'
    | 'paused_queue'
    | 'queue_concurrency'
    | 'queue_rate'
    | 'key'
    | 'group'
    | 'no_worker'
    | 'weight'
    | 'memory'
    | 'admission'
    | 'degraded_workers'
    | 'max_concurrent_jobs'
    | 'busy_workers'
    | 'line'
    | 'next_turn'
    | 'lost_worker';
  readonly message: string;
  readonly hint: string | null;
  /** Since when, or until when, where that is known. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Times as everywhere in JSON, null where they are not known. */
export const waitToJson = ({ reason, message, hint, since, until }: Wait): Json => ({
  reason,
  message,
  hint,
  since: isoTime(since ?? null),
  until: isoTime(until ?? null),
});

export const held = ({ id, held: reason }: Pick<Job, 'id' | 'held'>): Wait[] =>
  reason === null
    ? []
    : [
        {
          reason: 'held',
          message: heldText(reason),
          hint: `queuectl release ${id}`,
        },
      ];

function heldText(reason: string): string {
  if (reason === '') return 'is held until a person releases it';
  return reason === BY_HAND ? `is held ${reason}` : `is held: ${reason}`;
}
