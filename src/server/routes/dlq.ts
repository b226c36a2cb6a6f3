// The dead letter queue, grouped by error. GET /jobs?filter=state:dead lists the jobs themselves.

import { z } from 'zod';
import { parseFilter } from '../../filter/filter.ts';
import { route } from '../route.ts';
import { time } from '../schema/job.ts';
import { filterText, positive } from '../schema/parameters.ts';
import { isoTime, type Json } from '../../job/wire.ts';
import type { Queue } from '../../queue/queue.ts';
import type { ErrorGroup, JobFilter } from '../../store/store.ts';

const DAY_MS = 86_400_000;
const TREND_DAYS = 14;

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

interface ErrorReport extends ErrorGroup {
  /** Number of jobs that became dead on each of the last days, the latest last. A day ends at the time of the report. */
  readonly trend: readonly number[];
}

async function errorReport(queue: Queue, filter: JobFilter, limit: number): Promise<ErrorReport[]> {
  const groups = await queue.errorGroups(filter, limit);
  if (groups.length === 0) return [];
  const from = queue.now() - TREND_DAYS * DAY_MS + 1; // includes jobs that become dead at this moment
  const days = await queue.errorTrend(filter, from, DAY_MS);
  return groups.map((group) => {
    const own = days.filter(({ fingerprint }) => fingerprint === group.fingerprint);
    const on = (day: number): number => own.find(({ step }) => step === day)?.jobs ?? 0;
    return { ...group, trend: Array.from({ length: TREND_DAYS }, (_, day) => on(day)) };
  });
}

const errorToJson = (group: ErrorReport): Json => ({
  fingerprint: group.fingerprint,
  error: group.exampleError,
  count: group.jobs,
  first_at: isoTime(group.oldestAt),
  last_at: isoTime(group.newestAt),
  sample_id: group.exampleId,
  trend: group.trend,
});
