// What can be wrong with what a store holds, as every store asks and says it.

import { FINAL_STATES } from '../../job/job.ts';
import { quoted, type Row } from '../rows/rows.ts';

/** Counters that disagree with a recount: a bug if there are any. */
export const RECOUNT = `
  SELECT queue, state, CAST(sum(n) AS bigint) AS off FROM (
    SELECT queue, state, n FROM counters UNION ALL
    SELECT queue, state, -count(*) FROM jobs GROUP BY queue, state) both_counts
  GROUP BY queue, state HAVING sum(n) <> 0`;

/** The same of groups. */
export const RECOUNT_GROUPS = `
  SELECT group_name AS queue, state, CAST(sum(n) AS bigint) AS off FROM (
    SELECT group_name, state, n FROM group_counters UNION ALL
    SELECT group_name, state, -count(*) FROM jobs WHERE group_name IS NOT NULL GROUP BY group_name, state) both_counts
  GROUP BY group_name, state HAVING sum(n) <> 0`;

export const miscountsOf = (rows: readonly Row[], noun = 'queue'): string[] =>
  rows.map((row) => `the counter of ${row.state} jobs in ${noun} ${row.queue} is off by ${row.off}`);

/** How many jobs refer to an environment that is not there. */
export const WITHOUT_ENVIRONMENT = `
  SELECT count(*) AS n FROM jobs
  WHERE environment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = environment_id)`;

export const missingEnvironments = (jobs: number): string[] =>
  jobs === 0 ? [] : [`${jobs} ${jobs === 1 ? 'job refers' : 'jobs refer'} to a missing environment`];

/** What cannot be if every end was passed on and nothing was lost, as SQL that counts it and the sentence for it. */
export const BROKEN_FLOWS: readonly { readonly count: string; readonly says: (n: number) => string }[] = [
  {
    count: `SELECT count(*) AS n FROM dependencies d WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE seq = d.job_seq)`,
    says: (n) => `${jobs(n, 'dependency belongs', 'dependencies belong')} to deleted jobs`,
  },
  {
    count: `
      SELECT count(*) AS n FROM dependencies d WHERE d.outcome IS NULL AND d.kind = 'job'
        AND NOT EXISTS (SELECT 1 FROM jobs p WHERE p.seq = d.parent_seq AND p.state NOT IN (${quoted(FINAL_STATES)}))
        AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.job_seq = d.parent_seq)`,
    says: (n) =>
      `${jobs(n, 'dependency is', 'dependencies are')} unresolved although the parent job finished`,
  },
  {
    count: `
      SELECT count(*) AS n FROM jobs j WHERE j.state = 'blocked'
        AND EXISTS (SELECT 1 FROM dependencies d WHERE d.job_seq = j.seq)
        AND NOT EXISTS (SELECT 1 FROM dependencies d WHERE d.job_seq = j.seq AND d.outcome IS NULL)`,
    says: (n) => `${jobs(n, 'job is', 'jobs are')} blocked without an unfinished dependency`,
  },
  {
    count: `
      SELECT count(*) AS n FROM jobs j WHERE j.group_name IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.name = j.group_name)`,
    says: (n) => `${jobs(n, 'job belongs', 'jobs belong')} to a missing group`,
  },
];

const jobs = (n: number, one: string, several: string): string => `${n} ${n === 1 ? one : several}`;

/** `counts` in the order of BROKEN_FLOWS. */
export const brokenFlows = (counts: readonly number[]): string[] =>
  BROKEN_FLOWS.flatMap(({ says }, i) => ((counts[i] ?? 0) > 0 ? [says(counts[i] ?? 0)] : []));
