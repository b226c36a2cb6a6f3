// Builds the initial record of a new job.

import { firstRunAt } from './due.ts';
import type { Job, JobState, NewJob } from './job.ts';

export const FIRST_STATE: JobState = 'pending';
/** Initial state of a job with dependencies, until the same transaction checks them. */
export const BLOCKED_STATE: JobState = 'blocked';

/** For a job without dependencies. Lists every field, because an object spread took twice as long. */
export function freshJob(job: NewJob, now: number): Job {
  return {
    id: job.id,
    command: job.command,
    queue: job.queue,
    priority: job.priority,
    maxRetries: job.maxRetries,
    backoffBase: job.backoffBase,
    backoffStrategy: job.backoffStrategy,
    timeoutSeconds: job.timeoutSeconds,
    runAt: job.runAt,
    cwd: job.cwd,
    env: job.env,
    splitOutput: job.splitOutput,
    outcomeRules: job.outcomeRules,
    confinement: job.confinement,
    name: job.name,
    group: job.group,
    key: job.key,
    keyConcurrency: job.keyConcurrency,
    weight: job.weight,
    dependsOn: job.dependsOn,
    onDependencyFailure: job.onDependencyFailure,
    schedule: job.schedule,
    scheduledAt: job.scheduledAt,
    hooks: job.hooks,
    hookOf: job.hookOf,
    tags: job.tags,
    uniqueKey: job.uniqueKey,
    state: FIRST_STATE,
    held: null,
    attempts: 0,
    interruptions: 0,
    interruptionsInRow: 0,
    snoozes: 0,
    stdinBytes: job.stdin?.length ?? null,
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
