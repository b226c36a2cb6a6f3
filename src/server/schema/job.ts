// A job and its attempts as JSON, described: what src/job/wire.ts writes.

import { z } from 'zod';
import { type JobState, STATES, STRATEGIES } from '../../job/job.ts';
import { confinementShape, usageShape } from './confinement.ts';

export const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC, with milliseconds' });

export const stateSchema = z.enum(STATES).meta({ id: 'JobState' });

/** How many jobs are in each state, beside other numbers. */
export const countsShape = Object.fromEntries(STATES.map((state) => [state, z.int()])) as Record<
  JobState,
  z.ZodInt
>;

export const jobSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    command: z
      .union([z.string(), z.array(z.string())])
      .meta({ description: 'A string runs in the shell, a list as it is' }),
    queue: z.string(),
    group: z.string().nullable(),
    state: stateSchema,
    priority: z.int(),
    attempts: z.int(),
    interruptions: z.int(),
    snoozes: z.int(),
    max_retries: z.int(),
    backoff_base: z.number().nullable(),
    backoff_strategy: z.enum(STRATEGIES).nullable(),
    timeout_seconds: z.number().nullable(),
    run_at: time.nullable(),
    next_run_at: time.nullable(),
    key: z.string().nullable(),
    key_concurrency: z.int().nullable(),
    weight: z.int(),
    depends_on: z.array(z.union([z.string(), z.object({ on: z.string(), rule: z.string() })])),
    on_dependency_failure: z.string(),
    schedule: z.string().nullable(),
    scheduled_at: time.nullable(),
    hooks: z.record(z.string(), z.unknown()).nullable(),
    hook_of: z.string().nullable(),
    tags: z.array(z.string()),
    unique_key: z.string().nullable(),
    held: z.boolean(),
    held_reason: z.string().nullable(),
    cwd: z.string().nullable(),
    env: z.record(z.string(), z.string()).meta({ description: 'Values are shown to admins alone' }),
    split_output: z.boolean(),
    stdin_bytes: z.int().nullable(),
    success_codes: z.array(z.int()),
    no_retry_codes: z.array(z.int()),
    snooze_code: z.int().nullable(),
    warn_signal: z.string().nullable(),
    warn_seconds: z.number().nullable(),
    ...confinementShape,
    recipe: z.string().nullable(),
    params: z.record(z.string(), z.string()).nullable(),
    secrets: z.array(z.string()).meta({ description: 'Names, never values' }),
    created_at: time,
    updated_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    duration_ms: z.number().nullable(),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    last_error: z.string().nullable(),
    fingerprint: z.string().nullable(),
    locked_by: z.string().nullable(),
    locked_at: time.nullable(),
    log_path: z.string().nullable(),
    ...usageShape,
    progress: z.number().nullable(),
    progress_note: z.string().nullable(),
    result: z.unknown(),
  })
  .meta({ id: 'Job' });

export const attemptSchema = z
  .object({
    number: z.int(),
    run: z.int().meta({ description: 'Tells it from all others of its job, also from those that were lost' }),
    worker: z.string().nullable(),
    host: z.string().nullable(),
    pid: z.int().nullable(),
    started_at: time,
    ended_at: time.nullable(),
    duration_ms: z.number().nullable(),
    outcome: z.string().nullable(),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    error: z.string().nullable(),
    log_path: z.string().nullable(),
    ...usageShape,
  })
  .meta({ id: 'Attempt' });

const waitSchema = z
  .object({
    reason: z.string().meta({ description: 'For programs: scheduled, dependencies, no_worker and so on' }),
    message: z.string(),
    hint: z.string().nullable(),
    since: time.nullable(),
    until: time.nullable(),
  })
  .meta({ id: 'Wait' });

export const detailsSchema = jobSchema
  .extend({
    environment: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Of the shell that enqueued it; null: it runs with that of its worker' }),
    waits_for: z.array(waitSchema),
    history: z.array(attemptSchema),
  })
  .meta({ id: 'JobDetails' });

export const whySchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    state: stateSchema,
    why: z.string(),
    sentences: z.array(z.string()),
    waits_for: z.array(waitSchema),
    next_run_at: time.nullable(),
    started_at: time.nullable(),
    finished_at: time.nullable(),
    exit_code: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'Why' });
