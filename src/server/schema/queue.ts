// A named queue as JSON, described: what src/report/queues.ts writes; and what may be said of one.

import { z } from 'zod';
import { QueueError } from '../../errors/errors.ts';
import { HOOK_NAMES } from '../../job/flow/hooks.ts';
import { ID_MAX_LENGTH, VALID_NAME } from '../../job/id.ts';
import { parseRate } from '../../time/rate.ts';
import { confinementShape } from './confinement.ts';
import { countsShape, time } from './job.ts';

const MOST = 1_000_000;

/** What may be the name of a queue; '*' would mean all of them. */
export const queuePath = z.object({
  name: z.string().max(ID_MAX_LENGTH).regex(VALID_NAME, 'it must be of A-Z a-z 0-9 . _ : -, and not . or ..'),
});

export const queueSchema = z
  .object({
    queue: z.string(),
    ...countsShape,
    workers: z.int().meta({ description: 'How many serve it' }),
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
    concurrency: limit.meta({ description: 'So many run at once, over all workers; null: no limit' }),
    rate: z
      .string()
      .max(50)
      .nullable()
      .optional()
      .meta({ description: '10/s, 100/m, 5/h, 1/d; null: no limit' }),
    burst: limit.meta({ description: 'So many may start at once after a quiet time' }),
    limits: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .optional()
      .meta({ description: 'Of any of its jobs, as of a job: memory, cpu_time, …; null takes one back' }),
    sandbox: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Required of all its jobs; null: as they say. Takes the role admin' }),
    user: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'That all its jobs run as; null: as they say. Takes the role admin' }),
    hooks: z
      .partialRecord(z.enum(HOOK_NAMES), z.string().max(10_000).nullable())
      .optional()
      .meta({ description: 'What the end of any of its jobs calls for; null: nothing' }),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change was given');

/** null: no limit. Else invalid_request. */
export function readRate(rate: string | null): number | null {
  if (rate === null) return null;
  const perSecond = parseRate(rate);
  if (perSecond !== null && perSecond <= MOST) return perSecond;
  throw new QueueError('invalid_request', {
    where: "'rate' in the body",
    problem: `'${rate}' is not a number and a unit: 10/s, 100/m, 5/h, 1/d`,
  });
}
