// What a new job is from the moment it is stored.

import { firstRunAt } from './due.ts';
import type { Job, JobState, NewJob } from './job.ts';

export const FIRST_STATE: JobState = 'pending';

export function freshJob(job: NewJob, now: number): Job {
  return {
    ...job,
    state: FIRST_STATE,
    attempts: 0,
    interruptions: 0,
    interruptionsInRow: 0,
    nextRunAt: firstRunAt(job.runAt, now),
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    exitCode: null,
    signal: null,
    lastError: null,
    lockedBy: null,
    lockedAt: null,
    cancelRequestedAt: null,
    logPath: null,
  };
}
