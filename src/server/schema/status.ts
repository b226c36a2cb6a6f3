// Schemas of the status, as src/report/status.ts and src/report/health/attention.ts write it.

import { z } from 'zod';
import { WAITING_COUNTED } from '../../report/status.ts';
import { countsShape, time } from './job.ts';

const workersSchema = z.object({ active: z.int(), busy: z.int(), lost: z.int() });
const age = z.number().nullable();
const bounded = z.int().describe(`Number of waiting jobs; counting stops at ${WAITING_COUNTED}`);

export const statusSchema = z
  .object({
    ...countsShape,
    held: bounded,
    limited: bounded,
    active_workers: z.int(),
    oldest_pending_seconds: age,
    next_retry_at: time.nullable(),
    next_run_at: time.nullable(),
    queues: z.array(z.object({ queue: z.string(), ...countsShape, oldest_pending_seconds: age })),
    workers: workersSchema,
    hosts: z.array(workersSchema.extend({ host: z.string() })),
    unserved_queues: z.array(z.string()),
    paused_queues: z.array(z.string()),
    all_paused: z.boolean(),
    groups: bounded,
    schedules: bounded,
    next_schedule_at: time.nullable(),
    degraded: z.array(z.string()),
    admission: z.array(z.string()).describe('Why a healthy worker starts no new jobs'),
    db: z.string(),
  })
  .meta({ id: 'Status' });

export const attentionSchema = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    title: z.string(),
    what_to_do: z.string().nullable(),
    command: z.string().nullable().describe('The command as typed in a shell'),
    link: z.string().nullable().describe('Path of the dashboard screen with details'),
  })
  .meta({ id: 'Attention' });
