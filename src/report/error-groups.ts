// Dead jobs by error, with the number for each of the last days.

import { isoTime, type Json } from '../job/wire.ts';
import type { Queue } from '../queue/queue.ts';
import type { ErrorGroup, JobFilter } from '../store/store.ts';

const DAY_MS = 86_400_000;
export const TREND_DAYS = 14;

export interface ErrorReport extends ErrorGroup {
  /** Number of jobs that became dead on each of the last days, the latest last. A day ends at the time of the report. */
  readonly trend: readonly number[];
}

export async function errorReport(queue: Queue, filter: JobFilter, limit: number): Promise<ErrorReport[]> {
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

export const errorToJson = (group: ErrorReport): Json => ({
  fingerprint: group.fingerprint,
  error: group.exampleError,
  count: group.jobs,
  first_at: isoTime(group.oldestAt),
  last_at: isoTime(group.newestAt),
  sample_id: group.exampleId,
  trend: group.trend,
});
