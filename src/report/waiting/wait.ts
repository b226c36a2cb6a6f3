// One reason why a job is waiting.

import type { Job } from '../../job/job.ts';
import { BY_HAND } from '../../job/waiting-change.ts';
import { isoTime, type Json } from '../../job/wire.ts';

/** Every reason code that `why --json` and the API can report, with its meaning. */
export const WAIT_REASONS = {
  dependencies: 'unfinished dependencies',
  held: 'held by a user',
  scheduled: 'start time or retry time in the future',
  queue_paused: 'the queue, or every queue, is paused',
  queue_concurrency: 'concurrency limit of the queue reached',
  queue_rate: 'rate limit of the queue reached',
  key_slot: 'no free slot of the concurrency key',
  group_slot: 'no free slot of the group',
  no_worker: 'no running worker serves the queue',
  weight: 'no worker has enough slots',
  memory: 'not enough memory in the budget of the workers',
  start_conditions: 'workers start no jobs: load, memory, disk or hours',
  workers_degraded: 'every worker reports a problem',
  max_concurrent_jobs: 'the setting max_concurrent_jobs is reached',
  workers_busy: 'every worker is busy',
  position: 'other jobs start first',
  next_poll: 'a free worker starts the job at its next poll',
  worker_lost: 'the worker that ran the job is lost',
} as const;

export interface Wait {
  readonly reason: keyof typeof WAIT_REASONS;
  readonly message: string;
  readonly hint: string | null;
  /** Start and end of the wait, if known. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

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
  if (reason === '') return 'held until released';
  return reason === BY_HAND ? `held ${reason}` : `held: ${reason}`;
}
