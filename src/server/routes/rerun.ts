// Retries part of a workflow: failed jobs, failed jobs with their dependents, or all jobs. A dry run lists them.

import type { Job } from '../../job/job.ts';
import type { Rerun } from '../../job/flow/rerun.ts';
import { route } from '../route.ts';
import { rerunSchema, rerunWish } from '../schema/rerun.ts';

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
