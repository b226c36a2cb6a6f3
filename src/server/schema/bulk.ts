// Schemas of bulk operations: request and progress.

import { z } from 'zod';
import { FINAL_STATES } from '../../job/job.ts';
import { time } from './job.ts';
import { filterText } from './parameters.ts';

const BULK_ACTIONS = [
  'retry', 'cancel', 'delete', 'hold', 'release', 'run-now', 'edit', 'move',
] as const; // biome-ignore format: a list of words

/** Jobs that the policy rejects stay unchanged. */
export const rejectedShape = {
  rejected: z.int().describe('Number of jobs that the policy rejects'),
  rejections: z.array(z.object({ reason: z.string(), jobs: z.int() })).describe('Count by reason'),
};

const MOST_IDS = 10_000;

export const bulkWish = z.strictObject({
  action: z.enum(BULK_ACTIONS),
  filter: filterText.optional(),
  ids: z.array(z.string().min(1).max(128)).min(1).max(MOST_IDS).optional(),
  sample: z.int().min(0).max(1_000_000).optional().describe('Number of job IDs to return in a dry run'),
  dry_run: z.boolean().default(false).describe('Dry run: only return the number of jobs'),
  reason: z.string().min(1).max(1000).optional().describe('Reason for the action hold'),
  edit: z.record(z.string(), z.unknown()).optional().describe('Fields to change for the action edit'),
  queue: z.string().optional().describe('Target queue for the action move'),
});

export const pruneWish = z.strictObject({
  states: z
    .array(z.enum(FINAL_STATES))
    .min(1)
    .default(['completed', 'cancelled'])
    .describe('States to prune; default: completed and cancelled'),
  queue: z.string().optional().describe('Only jobs of this queue'),
  older_than_seconds: z.number().min(0).optional().describe('Only jobs that finished longer ago than this'),
  keep: z.int().min(0).optional().describe('Keep this number of the newest jobs per state'),
  dry_run: z.boolean().default(false).describe('Dry run: only return the number of jobs'),
});

export const dryRunSchema = z
  .object({ count: z.int(), sample: z.array(z.string()).describe('The first IDs') })
  .meta({ id: 'BulkPreview' });

export const bulkSchema = z
  .object({
    id: z.string(),
    action: z.enum([...BULK_ACTIONS, 'prune']),
    by: z.string(),
    state: z.enum(['running', 'done', 'stopped', 'failed']),
    total: z.int(),
    done: z.int().describe('Number of processed jobs'),
    changed: z.int().describe('Number of changed jobs; the state of the others no longer allowed it'),
    ...rejectedShape,
    error: z.string().nullable().describe('Why the operation failed or was stopped'),
    started_at: time,
    ended_at: time.nullable(),
  })
  .meta({ id: 'Bulk' });
