// Deletes finished jobs by age or number, as a bulk operation. A dry run counts them.

import { z } from 'zod';
import type { PruneQuery } from '../../store/store.ts';
import { route } from '../route.ts';
import { pruneWish } from '../schema/bulk.ts';

const pruneJobs = route({
  id: 'pruneJobs',
  tag: 'bulk',
  summary: 'Prune finished jobs by age or number with their logs, or count them in a dry run',
  role: 'admin',
  body: pruneWish,
  isHeavy: true,
  answers: {
    200: { help: 'Dry run: the number of jobs', schema: z.object({ count: z.int() }) },
    202: {
      help: 'Bulk operation started; GET /bulk/{id} returns its progress',
      schema: z.object({ bulk: z.string() }),
    },
  },
  handle: async ({ queue, bulk, body, principal }) => {
    const { states, queue: name, keep, older_than_seconds: age } = body;
    const finishedBefore = age === undefined ? undefined : queue.now() - age * 1000;
    const query: PruneQuery = { states, queue: name, keep, finishedBefore };
    const total = await queue.prunable(query);
    if (body.dry_run) return { json: { count: total } };
    const work = async (progress: Parameters<typeof queue.prune>[1]) => {
      await queue.prune(query, progress);
      return {};
    };
    const { id } = bulk.start({ action: 'prune', by: principal.name, total, work });
    return { status: 202, json: { bulk: id } };
  },
});

export const pruneRoutes = [pruneJobs];
