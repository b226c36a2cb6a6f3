// Schemas of named queues, as src/report/queues.ts writes them, and of changes to them.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { HOOK_NAMES } from '../../job/flow/hooks.ts';
import { ID_MAX_LENGTH, VALID_NAME } from '../../job/id.ts';
import { parseRate } from '../../time/rate.ts';
import { confinementShape } from './confinement.ts';
import { countsShape, time } from './job.ts';

const MOST = 1_000_000;

/** Excludes '*', which would mean all queues. */
export const queuePath = z.object({
  name: z
    .string()
    .max(ID_MAX_LENGTH)
    .regex(VALID_NAME, 'may only contain A-Z a-z 0-9 . _ : -, and must not be . or ..'),
});

export const queueSchema = z
  .object({
    queue: z.string(),
    ...countsShape,
    workers: z.int().describe('Number of workers that serve the queue'),
    paused: z.boolean(),
    paused_at: time.nullable(),
    draining: z.boolean(),
    concurrency: z.int().nullable(),
    rate_per_second: z.number().nullable(),
    burst: z.int().nullable(),
    hooks: z.partialRecord(z.enum(HOOK_NAMES), z.string()),
    ...confinementShape,
  })
  .meta({ id: 'Queue' });

const limit = z.int().min(1).max(MOST).nullable().optional();

export const queueChange = z
  .strictObject({
    concurrency: limit.describe('Number of jobs that may run at once on all workers; null for no limit'),
    rate: z.string().max(50).nullable().optional().describe('Rate such as 10/s, 100/m, 5/h or 1/d; null for no limit'),
    burst: limit.describe('Number of jobs that may start at once after an idle period'),
    limits: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .optional()
      .describe('Resource limits of each job: memory, cpu_time, …; null removes a limit'),
    sandbox: z
      .string()
      .nullable()
      .optional()
      .describe('Sandbox of all jobs of the queue; null lets jobs choose. Requires the role admin'),
    user: z
      .string()
      .nullable()
      .optional()
      .describe('User of all jobs of the queue; null lets jobs choose. Requires the role admin'),
    hooks: z
      .partialRecord(z.enum(HOOK_NAMES), z.string().max(10_000).nullable())
      .optional()
      .describe('Hook that runs when a job of the queue finishes; null for none'),
  })
  .refine((change) => Object.keys(change).length > 0, 'at least one field is required');

/** Returns null for no limit. Throws invalid_request. */
export function readRate(rate: string | null): number | null {
  if (rate === null) return null;
  const perSecond = parseRate(rate);
  if (perSecond !== null && perSecond <= MOST) return perSecond;
  throw new QueueError('invalid_request', {
    where: "'rate' in the body",
    problem: `invalid rate '${rate}'; use a number and a unit such as 10/s, 100/m, 5/h or 1/d`,
  });
}
