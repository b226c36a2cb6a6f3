// What a new job is from the moment it is stored.

import { firstRunAt } from './due.ts';
import type { Job, JobState, NewJob } from './job.ts';

export const FIRST_STATE: JobState = 'pending';
/** Of a job that waits for others, until they are looked at in the same transaction. */
export const BLOCKED_STATE: JobState = 'blocked';

/** Of a job that waits for nothing but its time. */
export function freshJob(
  { groupConcurrency: _, groupHooks: _hooks, uniqueFor: _for, ifExists: _then, stdin, ...job }: NewJob,
  now: number,
): Job {
  return {
    ...job,
    state: FIRST_STATE,
    held: null,
    attempts: 0,
    interruptions: 0,
    interruptionsInRow: 0,
    snoozes: 0,
    stdinBytes: stdin?.length ?? null,
    progress: null,
    progressNote: null,
    result: null,
    nextRunAt: firstRunAt(job.runAt, now),
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    exitCode: null,
    signal: null,
    lastError: null,
    fingerprint: null,
    lockedBy: null,
    lockedAt: null,
    cancelRequestedAt: null,
    logPath: null,
    usage: null,
  };
}
