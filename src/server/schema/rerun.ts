// Schemas for retrying part of a workflow: request, and the planned change of each job.

import { z } from 'zod';
import { RERUN_MODES } from '../../job/flow/rerun.ts';
import { jobSchema } from './job.ts';

const MOST_TARGETS = 1000;

export const rerunWish = z.strictObject({
  targets: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MOST_TARGETS)
    .describe('Job IDs, names or prefixes, including their dependents; or `group:NAME`'),
  mode: z.enum(RERUN_MODES),
  dry_run: z.boolean().default(false).describe('Dry run: only return the jobs that would run'),
});

export const rerunSchema = z
  .object({
    retry: z.array(z.string()).describe('Jobs that start immediately'),
    block: z.array(z.string()).describe('Jobs that are blocked by dependencies again'),
    release: z.array(z.string()).describe('Jobs that are no longer held'),
    jobs: z
      .array(
        jobSchema
          .pick({ id: true, name: true, command: true, state: true })
          .extend({ becomes: z.enum(['pending', 'blocked']) }),
      )
      .describe('The first hundred jobs in their previous state'),
  })
  .meta({ id: 'Rerun' });
