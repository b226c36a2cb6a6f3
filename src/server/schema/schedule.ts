// Schemas of schedules, as src/report/schedule.ts writes them, and of their input.

import { z } from 'zod';
import { CATCH_UPS, OVERLAPS } from '../../schedule/plan-ticks.ts';
import type { SpecInput } from '../../schedule/spec.ts';
import { time } from './job.ts';

const MOST_SECONDS = 10 * 365 * 86_400;
const seconds = z.number().min(0).max(MOST_SECONDS);

const timing = {
  cron: z.string().max(500).optional().describe('Cron expression: 30 2 * * *, 6 fields with seconds, or @daily'),
  every: z.string().max(50).optional().describe('Fixed interval such as 90s, 5m or 1h30m'),
  at: z.string().max(100).optional().describe('Time of a single run'),
  tz: z.string().max(100).optional().describe('Time zone such as Europe/Berlin; default: the server’s'),
};

const rules = {
  overlap: z.enum(OVERLAPS).optional(),
  catch_up: z.enum(CATCH_UPS).optional(),
  catch_up_window_seconds: seconds.nullable().optional(),
  catch_up_max: z.int().optional(),
  jitter_seconds: seconds.optional(),
};

const job = z.record(z.string(), z.unknown()).describe('Job fields as in POST /jobs');

export const timingInput = z.strictObject(timing);
export const scheduleInput = z.strictObject({ name: z.string(), ...timing, ...rules, job });
export const scheduleEdit = z
  .strictObject({ ...timing, ...rules, job: job.optional() })
  .refine((change) => Object.keys(change).length > 0, 'at least one field is required');

type Said = Omit<z.output<typeof scheduleInput>, 'name' | 'job'>;

export const specInputOf = (said: Said): SpecInput => ({
  cron: said.cron,
  every: said.every,
  at: said.at,
  zone: said.tz,
  overlap: said.overlap,
  catchUp: said.catch_up,
  catchUpMax: said.catch_up_max,
  catchUpWindowMs: inMs(said.catch_up_window_seconds),
  jitterMs: inMs(said.jitter_seconds),
});

const inMs = <T extends number | null | undefined>(value: T): T =>
  typeof value === 'number' ? ((value * 1000) as T) : value;

export const scheduleSchema = z
  .object({
    name: z.string(),
    cron: z.string().nullable(),
    every_seconds: z.number().nullable(),
    at: time.nullable(),
    time_zone: z.string(),
    words: z.string(),
    jitter_seconds: z.number(),
    catch_up: z.enum(CATCH_UPS),
    catch_up_window_seconds: z.number().nullable(),
    catch_up_max: z.int(),
    overlap: z.enum(OVERLAPS),
    state: z.enum(['active', 'paused', 'ended']),
    paused: z.boolean(),
    paused_at: time.nullable(),
    next_at: time.nullable(),
    next: z.array(time),
    job: z.record(z.string(), z.unknown()).describe('Job fields of the schedule'),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Schedule' });

export const tickSchema = z
  .object({
    scheduled_at: time,
    outcome: z.enum(['enqueued', 'skipped']),
    reason: z.string().nullable(),
    job: z.string().nullable(),
    decided_at: time,
  })
  .meta({ id: 'Tick' });

export const scheduleDetailsSchema = scheduleSchema
  .extend({ ticks: z.array(tickSchema) })
  .meta({ id: 'ScheduleDetails' });
