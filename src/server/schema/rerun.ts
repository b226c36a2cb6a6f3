// A part of a flow again, as JSON: what is asked for, and what becomes of each job.

import { z } from 'zod';
import { RERUN_MODES } from '../../job/rerun.ts';
import { jobSchema } from './job.ts';

export const rerunWish = z.strictObject({
  target: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'A job by id or name, with what waits for it; or `group:NAME`' }),
  mode: z.enum(RERUN_MODES),
  dry_run: z.boolean().default(false).meta({ description: 'Only say what would run' }),
});

export const rerunSchema = z
  .object({
    starts: z.int().meta({ description: 'How many run now' }),
    waits: z.int().meta({ description: 'How many wait for those' }),
    jobs: z
      .array(
        jobSchema
          .pick({ id: true, name: true, command: true, state: true })
          .extend({ becomes: z.enum(['pending', 'blocked']) }),
      )
      .meta({ description: 'The first of them, as they were before' }),
  })
  .meta({ id: 'Rerun' });
