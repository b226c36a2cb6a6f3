// What can be wrong with what a store holds, as every store asks and says it.

import type { Row } from './rows.ts';

/** Counters that disagree with a recount: a bug if there are any. */
export const RECOUNT = `
  SELECT queue, state, CAST(sum(n) AS bigint) AS off FROM (
    SELECT queue, state, n FROM counters UNION ALL
    SELECT queue, state, -count(*) FROM jobs GROUP BY queue, state) both_counts
  GROUP BY queue, state HAVING sum(n) <> 0`;

export const miscountsOf = (rows: readonly Row[]): string[] =>
  rows.map((row) => `the counter of ${row.state} jobs in queue ${row.queue} is off by ${row.off}`);

/** How many jobs refer to an environment that is not there. */
export const WITHOUT_ENVIRONMENT = `
  SELECT count(*) AS n FROM jobs
  WHERE environment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = environment_id)`;

export const missingEnvironments = (jobs: number): string[] =>
  jobs === 0
    ? []
    : [`${jobs} ${jobs === 1 ? 'job refers' : 'jobs refer'} to an environment that is not there`];
