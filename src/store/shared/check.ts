// Checks of the stored data. Each finds problems that can only come from a bug or from manual edits of the database.

import { FINAL_STATES } from '../../job/job.ts';
import { quoted, type Row } from '../rows/rows.ts';
import type { Database } from '../sql/database.ts';
import { raw } from '../sql/statement.ts';

interface Check {
  /** Counts the affected rows as `n`. */
  readonly count: string;
  readonly one: string;
  readonly several: string;
}

const CHECKS: readonly Check[] = [
  {
    count: `SELECT count(*) AS n FROM dependencies d WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE seq = d.job_seq)`,
    one: 'dependency belongs to deleted jobs',
    several: 'dependencies belong to deleted jobs',
  },
  {
    count: `
      SELECT count(*) AS n FROM dependencies d WHERE d.outcome IS NULL AND d.kind = 'job'
        AND NOT EXISTS (SELECT 1 FROM jobs p WHERE p.seq = d.parent_seq AND p.state NOT IN (${quoted(FINAL_STATES)}))
        AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.job_seq = d.parent_seq)`,
    one: 'dependency is unresolved although the parent job finished',
    several: 'dependencies are unresolved although the parent job finished',
  },
  {
    count: `
      SELECT count(*) AS n FROM jobs j WHERE j.state = 'blocked'
        AND EXISTS (SELECT 1 FROM dependencies d WHERE d.job_seq = j.seq)
        AND NOT EXISTS (SELECT 1 FROM dependencies d WHERE d.job_seq = j.seq AND d.outcome IS NULL)`,
    one: 'job is blocked without an unfinished dependency',
    several: 'jobs are blocked without an unfinished dependency',
  },
  {
    count: `
      SELECT count(*) AS n FROM jobs j WHERE j.group_name IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM groups g WHERE g.name = j.group_name)`,
    one: 'job belongs to a missing group',
    several: 'jobs belong to a missing group',
  },
  {
    count: `
      SELECT count(*) AS n FROM jobs
      WHERE environment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = environment_id)`,
    one: 'job refers to a missing environment',
    several: 'jobs refer to a missing environment',
  },
];

/** Finds counters that differ from a recount. */
const recount = (table: string, column: string): string => `
  SELECT ${column} AS name, state, CAST(sum(n) AS bigint) AS off FROM (
    SELECT ${column}, state, n FROM ${table} UNION ALL
    SELECT ${column}, state, -count(*) FROM jobs WHERE ${column} IS NOT NULL GROUP BY ${column}, state) both_counts
  GROUP BY ${column}, state HAVING sum(n) <> 0`;

/** Returns one sentence for each problem. */
export async function brokenRows(database: Database): Promise<string[]> {
  const rows = (statement: string): Promise<Row[]> => database.rows(raw(statement), { isLong: true });
  const miscounts = async (noun: string, table: string, column: string): Promise<string[]> =>
    (await rows(recount(table, column))).map(
      ({ name, state, off }) => `the counter of ${state} jobs in ${noun} ${name} is off by ${off}`,
    );
  const problems = [
    ...(await miscounts('queue', 'counters', 'queue')),
    ...(await miscounts('group', 'group_counters', 'group_name')),
  ];
  for (const { count, one, several } of CHECKS) {
    const n = Number((await rows(count))[0]?.n);
    if (n > 0) problems.push(`${n} ${n === 1 ? one : several}`);
  }
  return problems;
}
