// Schema of metrics over time, as src/report/metrics/series.ts writes them.

import { z } from 'zod';
import { time } from './job.ts';

const timesSchema = z
  .object({ count: z.int(), avg: z.number(), p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Milliseconds; null without attempts');

export const summary = {
  enqueued: z.int(),
  started: z.int(),
  completed: z.int(),
  failed: z.int().describe('Attempts'),
  interrupted: z.int().describe('Attempts'),
  dead: z.int(),
  cancelled: z.int(),
  run_ms: timesSchema,
  wait_ms: timesSchema,
  cpu_seconds: z.number().describe('CPU time of attempts, if known'),
};

export const seriesSchema = z
  .object({
    queue: z.string().describe('Queue of the points; * for all queues'),
    from: time,
    to: time,
    step_seconds: z.number(),
    sum: z.object(summary),
    points: z.array(z.object({ at: time, ...summary })),
  })
  .meta({ id: 'Series' });
