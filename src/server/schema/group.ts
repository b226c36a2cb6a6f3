// Schemas of groups, as src/report/group.ts writes them.

import { z } from 'zod';
import { rejectedShape } from './bulk.ts';
import { countsShape, stateSchema, time } from './job.ts';

export const groupSchema = z
  .object({
    name: z.string(),
    outcome: z.enum(['completed', 'dead', 'cancelled', 'deleted']).nullable().describe('null until finished'),
    total: z.int(),
    ended: z.int(),
    ...countsShape,
    concurrency: z.int().nullable(),
    created_at: time,
  })
  .meta({ id: 'Group' });

const memberSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    array_index: z.int().nullable().describe('Index of the job in its array'),
    command: z.union([z.string(), z.array(z.string())]),
    state: stateSchema,
    started_at: time.nullable(),
    exit_code: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: 'GroupMember' });

export const groupReportSchema = groupSchema
  .extend({ failed_jobs: z.array(memberSchema), running_jobs: z.array(memberSchema) })
  .meta({ id: 'GroupDetails' });

export const changedGroupSchema = groupSchema
  .extend({
    changed: z.int().describe('Number of changed jobs'),
    ...rejectedShape,
  })
  .meta({ id: 'ChangedGroup' });
