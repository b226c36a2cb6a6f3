// The dead letter queue, grouped by error. GET /jobs?filter=state:dead lists the jobs themselves.

import { z } from 'zod';
import { parseFilter } from '../../filter/filter.ts';
import { errorReport, errorToJson, TREND_DAYS } from '../../report/error-groups.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { filterText, positive } from '../schema/parameters.ts';

const errorSchema = z
  .object({
    fingerprint: z.string().nullable().describe('Error fingerprint for the filter error:err-…'),
    error: z.string().nullable().describe('Error of the latest dead job'),
    count: z.int(),
    first_at: time.nullable(),
    last_at: time.nullable(),
    sample_id: z.string(),
    trend: z
      .array(z.int())
      .length(TREND_DAYS)
      .describe(`Dead jobs per day over the last ${TREND_DAYS} days, latest last`),
  })
  .meta({ id: 'ErrorGroup' });

export const dlqRoutes = [
  route({
    id: 'listErrors',
    tag: 'dlq',
    summary: 'List dead jobs grouped by error, most frequent first',
    role: 'viewer',
    query: z.object({
      by: z.enum(['error']).default('error'),
      filter: filterText.optional(),
      limit: positive.max(500).default(50),
    }),
    isHeavy: true,
    answers: { 200: { help: 'Errors', schema: z.object({ errors: z.array(errorSchema), next: z.null() }) } },
    handle: async ({ queue, query }) => {
      const filter = parseFilter(query.filter ?? '', queue.now());
      const errors = await errorReport(queue, filter, query.limit);
      return { json: { errors: errors.map(errorToJson), next: null } };
    },
  }),
];
