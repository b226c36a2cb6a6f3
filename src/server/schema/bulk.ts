// Changes of many jobs as JSON: what is asked for, and how far they are.

import { z } from 'zod';
import { time } from './job.ts';
import { filterText } from './parameters.ts';

export const BULK_ACTIONS = [
  'retry', 'cancel', 'delete', 'hold', 'release', 'run-now', 'edit', 'move',
] as const; // biome-ignore format: a list of words

/** What the policy does not allow is left as it is. */
export const refusedShape = {
  refused: z.int().meta({ description: 'How many the policy does not allow' }),
  refusals: z.array(z.object({ reason: z.string(), jobs: z.int() })).meta({ description: 'By reason' }),
};

const MOST_IDS = 10_000;

export const bulkWish = z.strictObject({
  action: z.enum(BULK_ACTIONS),
  filter: filterText.optional(),
  ids: z.array(z.string().min(1).max(128)).min(1).max(MOST_IDS).optional(),
  sample: z.int().min(0).max(1_000_000).optional().meta({ description: 'Of a dry run: name so many ids' }),
  dry_run: z.boolean().default(false).meta({ description: 'Only say how many jobs it would be' }),
  reason: z.string().min(1).max(1000).optional().meta({ description: 'Of hold' }),
  edit: z.record(z.string(), z.unknown()).optional().meta({ description: 'The fields to change, of edit' }),
  queue: z.string().optional().meta({ description: 'Where to, of move' }),
});

export const dryRunSchema = z
  .object({ count: z.int(), sample: z.array(z.string()).meta({ description: 'The first of their ids' }) })
  .meta({ id: 'BulkPreview' });

export const bulkSchema = z
  .object({
    id: z.string(),
    action: z.enum(BULK_ACTIONS),
    by: z.string(),
    state: z.enum(['running', 'done', 'stopped', 'failed']),
    total: z.int(),
    done: z.int().meta({ description: 'How many were looked at' }),
    changed: z.int().meta({ description: 'The others could not be changed any more' }),
    ...refusedShape,
    error: z.string().nullable().meta({ description: 'Why it failed or was stopped' }),
    started_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Bulk' });
