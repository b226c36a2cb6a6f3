// Schema of metrics, as src/report/metrics/metrics.ts writes them.

import { z } from 'zod';
import { OUTCOMES, STATES } from '../../job/job.ts';
import { countsShape, time } from './job.ts';
import { summary } from './series.ts';

const spread = z
  .object({
    count: z.int(),
    avg: z.number(),
    min: z.number(),
    max: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
  })
  .nullable()
  .describe('null without attempts');

export const metricsSchema = z
  .object({
    total_jobs: z.int(),
    counts: z.record(z.enum(STATES), z.int()),
    success_rate: z.number().nullable(),
    attempts: z.int(),
    outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()),
    average_attempts: z.number().nullable(),
    run_ms: spread,
    wait_ms: spread,
    cpu_ms: spread,
    peak_memory_bytes: spread,
    completed_within: z.object({ minute: z.int(), hour: z.int(), day: z.int() }),
    throughput_per_minute: z.number(),
    last_hour: z.object(summary),
    last_day: z.object(summary),
    ever: z.object(summary),
    held: z.int(),
    limited: z.int(),
    groups: z.int(),
    schedules: z.int(),
    next_schedule_at: time.nullable(),
    workers: z.object({ active: z.int(), busy: z.int(), lost: z.int() }),
    queues: z.array(z.object({ queue: z.string(), ...countsShape, oldest_pending_seconds: z.number().nullable() })),
    queue_limits: z.array(
      z.object({
        queue: z.string(),
        paused_at: time.nullable(),
        draining_at: time.nullable(),
        concurrency: z.int().nullable(),
        rate_per_second: z.number().nullable(),
        burst: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Metrics' });
