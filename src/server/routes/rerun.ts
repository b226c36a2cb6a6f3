// A part of a flow again: first what would run, then that it does.

import { z } from 'zod';
import { RERUN_MODES } from '../../job/rerun.ts';
import { route } from '../route.ts';

const MOST_TARGETS = 1000;

const rerunSchema = z
  .object({
    retry: z.array(z.string()).meta({ description: 'Start at once' }),
    block: z.array(z.string()).meta({ description: 'Wait for those again' }),
    release: z.array(z.string()).meta({ description: 'Of these, the ones that are no longer held back' }),
  })
  .meta({ id: 'Rerun' });

export const rerunRoutes = [
  route({
    method: 'post',
    path: '/jobs/rerun',
    id: 'rerunJobs',
    tag: 'jobs',
    summary: 'Run a part of a flow again, all of it or nothing; or only say what that would be',
    role: 'operator',
    isHeavy: true,
    body: z.strictObject({
      targets: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(MOST_TARGETS)
        .meta({ description: "Jobs by id, name or prefix, or 'group:NAME'" }),
      mode: z.enum(RERUN_MODES),
      dry_run: z.boolean().default(false).meta({ description: 'Only say which jobs it would be' }),
    }),
    answers: { 200: { means: 'The jobs, by their ids', schema: rerunSchema } },
    handle: async ({ queue, body }) => {
      const plan = await queue.planRerun(body.targets, body.mode);
      if (!body.dry_run) await queue.rerun(plan);
      return { json: plan };
    },
  }),
];
