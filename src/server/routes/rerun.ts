// Retries part of a workflow: failed jobs, failed jobs with their dependents, or all jobs. A dry run lists them.

import type { Job } from '../../job/job.ts';
import { type Rerun, RERUN_MODES } from '../../job/flow/rerun.ts';
import { route } from '../route.ts';
import { z } from 'zod';
import { jobSchema } from '../schema/job.ts';

const MOST_TARGETS = 1000;

const rerunWish = z.strictObject({
  targets: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MOST_TARGETS)
    .describe('Job IDs, names or prefixes, including their dependents; or `group:NAME`'),
  mode: z.enum(RERUN_MODES),
  dry_run: z.boolean().default(false).describe('Dry run: only return the jobs that would run'),
});

const rerunSchema = z
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

const MOST_SHOWN = 100;

const rerunJobs = route({
  id: 'rerunJobs',
  tag: 'bulk',
  summary: 'Retry part of a workflow in one transaction, or list its jobs in a dry run',
  role: 'operator',
  body: rerunWish,
  isHeavy: true,
  answers: { 200: { help: 'Jobs that are retried or would be', schema: rerunSchema } },
  handle: async ({ queue, body: { targets, mode, dry_run } }) => {
    const plan = await queue.planRerun(targets, mode);
    const shown = await queue.getAll([...plan.retry, ...plan.block].slice(0, MOST_SHOWN));
    if (!dry_run && plan.retry.length + plan.block.length > 0) await queue.rerun(plan);
    return { json: rerunToJson(plan, shown) };
  },
});

function rerunToJson({ retry, block, release }: Rerun, shown: readonly Job[]) {
  const starts = new Set(retry);
  return {
    retry,
    block,
    release,
    jobs: shown.map(({ id, name, command, state }) => ({
      ...{ id, name, command, state },
      becomes: starts.has(id) ? 'pending' : 'blocked',
    })),
  };
}

export const rerunRoutes = [rerunJobs];
