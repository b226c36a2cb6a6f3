// Dead jobs grouped by error. An index alone yields the groups; only one job of each group is read.

import type { ErrorGroup, ErrorStep } from '../port/error-groups.ts';
import type { JobFilter } from '../port/list.ts';
import type { Row } from '../rows/rows.ts';
import { type Database, rowsOf, runAll } from '../sql/database.ts';
import type { Dialect } from '../sql/dialect.ts';
import { matching } from '../sql/matching.ts';
import { raw, type Sql, sql } from '../sql/statement.ts';

/** Must match the condition of the index of dead jobs literally. */
const DEAD = raw("j.state = 'dead'");

const deadJobs = (dialect: Dialect): Sql => sql`jobs j ${dialect.useIndex('jobs_fingerprint')} WHERE ${DEAD}`;

export function errorGroups(database: Database, filter: JobFilter, limit: number): Promise<ErrorGroup[]> {
  const { dialect } = database;
  const where = matching(dialect, filter);
  const example = ({ fingerprint }: Row): Sql => sql`
    SELECT id, last_error FROM jobs j
    WHERE ${DEAD} AND ${dialect.isSame('j.fingerprint', fingerprint as string | null)} AND ${where}
    ORDER BY finished_at DESC, seq DESC LIMIT 1`;
  return database.read(
    function* () {
      const groups = yield* rowsOf(sql`
        SELECT fingerprint, count(*) AS n, min(finished_at) AS oldest, max(finished_at) AS newest
        FROM ${deadJobs(dialect)} AND ${where}
        GROUP BY fingerprint ORDER BY n DESC, newest DESC, fingerprint ${dialect.limit(limit)}`);
      const examples = yield* runAll(groups.map(example));
      return groups.map((group, i) => errorGroupOf(group, examples[i]?.rows[0]));
    },
    { isLong: true },
  );
}

/** Both dialects round integer division down. */
export async function errorTrend(
  database: Database,
  filter: JobFilter,
  from: number,
  stepMs: number,
): Promise<ErrorStep[]> {
  const { dialect } = database;
  const step = sql`(finished_at - ${dialect.integer(from)}) / ${dialect.integer(stepMs)}`;
  const steps = sql`
    SELECT fingerprint, ${step} AS step, count(*) AS n FROM ${deadJobs(dialect)}
      AND finished_at >= ${from} AND ${matching(dialect, filter)}
    GROUP BY 1, 2`;
  return (await database.rows(steps, { isLong: true })).map(errorStepOf);
}

const errorStepOf = ({ fingerprint, step, n }: Row): ErrorStep => ({
  fingerprint: fingerprint as string | null,
  step: Number(step),
  jobs: Number(n),
});

const errorGroupOf = (group: Row, example: Row | undefined): ErrorGroup => ({
  fingerprint: group.fingerprint as string | null,
  jobs: Number(group.n),
  oldestAt: group.oldest as number | null,
  newestAt: group.newest as number | null,
  exampleId: String(example?.id),
  exampleError: (example?.last_error ?? null) as string | null,
});
