// Pages of jobs. If sorted by creation, src/store/sql/page-path.ts chooses the index to follow. The store first uses
// the index alone to find how far to read, then compares the jobs up to there with the rest of the filter.

import type { CountedSome, JobFilter, JobPage, PageEnd, PageQuery } from '../port/list.ts';
import { jobOf, type Row } from '../rows/rows.ts';
import { type Database, rowsOf, type Steps } from '../sql/database.ts';
import type { Dialect, LookUp } from '../sql/dialect.ts';
import { directionOf, JOB_COLUMNS, JOBS, orderOf, sortColumn } from '../sql/job-sql.ts';
import { matching, whereAll } from '../sql/matching.ts';
import { type Leg, type PagePath, pathOf } from '../sql/page-path.ts';
import { join, raw, type Sql, sql } from '../sql/statement.ts';

export const page = (database: Database, query: PageQuery): Promise<JobPage> =>
  query.sort === 'created' ? pageInOrder(database, query) : pageBySort(database, query);

export function countSome(
  database: Database,
  filter: JobFilter,
  lookAt: number,
  after: number | null,
): Promise<CountedSome> {
  const { dialect } = database;
  const [path, walk] = [pathOf(filter), { after, descending: true }];
  return database.read(function* () {
    const { lookedAt, last } = yield* lookAhead(dialect, path, walk, lookAt);
    const next = lookedAt < lookAt ? null : last;
    if (path.rest.length === 0 || last === null) return { count: lookedAt, lookedAt, next };
    const { from, where } = jobsUpTo(dialect, path, walk, last, 'jobs j');
    const [row] = yield* rowsOf(sql`SELECT count(*) AS n FROM ${from} WHERE ${where}`);
    return { count: Number(row?.n), lookedAt, next };
  });
}

function pageInOrder(database: Database, query: PageQuery): Promise<JobPage> {
  const { dialect } = database;
  const path = pathOf(query);
  const walk = { after: query.after?.seq ?? null, descending: query.descending };
  const lookAt = path.rest.length === 0 ? query.limit : query.lookAt;
  return database.read(function* () {
    const { lookedAt, last } = yield* lookAhead(dialect, path, walk, lookAt);
    if (last === null) return { jobs: [], lookedAt, next: null };
    const { from, where } = jobsUpTo(dialect, path, walk, last, JOBS);
    const rows = yield* rowsOf(jobsOf(dialect, from, where, query));
    const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
    const isEnd = lookedAt < lookAt;
    const next = lastRow ? endOf(lastRow, query) : isEnd ? null : { value: null, seq: last };
    return { jobs: rows.map(jobOf), lookedAt, next };
  });
}

/** Compares every matching job, because no index has this sort order. */
async function pageBySort(database: Database, query: PageQuery): Promise<JobPage> {
  const { dialect } = database;
  const start = query.after ? sql` AND ${isAfterEnd(query, query.after)}` : sql``;
  const where = sql`${matching(dialect, query)}${start}`;
  const rows = await database.rows(jobsOf(dialect, raw(JOBS), where, query), { isLong: true });
  const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
  return { jobs: rows.map(jobOf), lookedAt: rows.length, next: lastRow ? endOf(lastRow, query) : null };
}

const jobsOf = (dialect: Dialect, from: Sql, where: Sql, query: PageQuery): Sql => sql`
  SELECT ${raw(JOB_COLUMNS)} FROM ${from} WHERE ${where}
  ORDER BY ${raw(orderOf(query))} ${dialect.limit(query.limit)}`;

/** Returns the end of a page from its last job. */
function endOf(row: Row, { sort }: PageQuery): PageEnd {
  const value = sort === 'created' ? null : row[sortColumn(sort).slice('j.'.length)];
  return { value: value == null ? null : Number(value), seq: Number(row.seq) };
}

/**
 * Selects the jobs after the end of a page. Jobs without a value come last; jobs with equal values are sorted by
 * creation.
 */
function isAfterEnd({ sort, descending }: PageQuery, { value, seq }: PageEnd): Sql {
  const column = raw(sortColumn(sort));
  if (value === null) return sql`${column} IS NULL AND j.seq > ${seq}`;
  const equal = sql`${column} = ${value} AND j.seq > ${seq}`;
  return sql`(${column} ${raw(descending ? '<' : '>')} ${value} OR (${equal}) OR ${column} IS NULL)`;
}

/** Direction of a page, and the seq after which it starts. */
interface Walk {
  readonly after: number | null;
  readonly descending: boolean;
}

/** Counts the jobs on the path, up to `lookAt`, and finds the last one. */
function* lookAhead(
  dialect: Dialect,
  path: PagePath,
  walk: Walk,
  lookAt: number,
): Steps<{ lookedAt: number; last: number | null }> {
  const end = (column: string): Sql => sql`ORDER BY ${raw(column)} ${raw(directionOf(walk))} ${dialect.limit(lookAt)}`;
  const seqs = seqsOn(dialect, path, startsAfter(path.seq, walk), end(path.seq));
  const [row] = yield* rowsOf(sql`
    SELECT count(*) AS n, ${raw(walk.descending ? 'min' : 'max')}(seq) AS last FROM (
      SELECT seq FROM (${seqs}) passed ${end('seq')}) looked`);
  return { lookedAt: Number(row?.n), last: row?.last == null ? null : Number(row.last) };
}

/** Selects the jobs on the path up to `last` that match the rest of the filter. */
function jobsUpTo(dialect: Dialect, path: PagePath, walk: Walk, last: number, jobs: string): LookUp {
  const rest = whereAll(dialect, path.rest, 'j');
  if (path.index === null && path.legs.length === 0)
    return { from: raw(jobs), where: sql`${rest}${rangeOf('j.seq', walk, last)}` };
  const { from, where } = dialect.lookUp(jobs, 'j.seq', seqsUpTo(dialect, path, walk, last));
  return { from, where: sql`${where} AND ${rest}` };
}

/** Selects the seqs of the jobs on the path as `value`. Each leg is a range of the index. */
function seqsUpTo(dialect: Dialect, path: PagePath, walk: Walk, last: number): Sql {
  const { table, seq, within, legs } = path;
  const equal = legs.map(({ column }) => ` AND e.${column} = of_${column}.value`).join('');
  const jobs = sql`${raw(table)} e ${indexOf(dialect, path)}`;
  const from = join([...legs.map((leg) => sourceOf(dialect, leg)), jobs], ' CROSS JOIN ');
  const range = rangeOf(`e.${seq}`, walk, last);
  return sql`SELECT DISTINCT e.${raw(seq)} AS value FROM ${from} WHERE ${raw(within ?? 'true')}${raw(equal)}${range}`;
}

const rangeOf = (column: string, walk: Walk, last: number): Sql =>
  sql`${startsAfter(column, walk)} AND ${raw(column)} ${raw(walk.descending ? '>=' : '<=')} ${last}`;

const startsAfter = (column: string, { after, descending }: Walk): Sql =>
  after === null ? raw('') : sql` AND ${raw(column)} ${raw(descending ? '<' : '>')} ${after}`;

/** Selects the seqs of the jobs on the path. Each leg is bounded separately; a job may be on several legs. */
function seqsOn(dialect: Dialect, path: PagePath, bounds: Sql, end: Sql): Sql {
  const { table, seq, within, legs } = path;
  const equal = legs.map(({ column }) => ` AND ${column} = of_${column}.value`).join('');
  const leg = sql`
    SELECT ${raw(seq)} AS seq FROM ${raw(table)} ${indexOf(dialect, path)}
    WHERE ${raw(within ?? 'true')}${raw(equal)}${bounds} ${end}`;
  if (legs.length === 0) return leg;
  const sources = join(
    legs.map((one) => sourceOf(dialect, one)),
    ' CROSS JOIN ',
  );
  return sql`SELECT DISTINCT e.seq FROM ${dialect.withEach(sources, leg)}`;
}

const indexOf = (dialect: Dialect, { index }: PagePath): Sql => (index === null ? raw('') : dialect.useIndex(index));

function sourceOf(dialect: Dialect, { column, values }: Leg): Sql {
  const source =
    values === 'every queue'
      ? sql`SELECT queue AS value FROM (${dialect.counts}) counted`
      : sql`SELECT value FROM ${dialect.given(
          'given',
          { value: 'text' },
          values.map((value) => [value]),
        )}`;
  return sql`(SELECT DISTINCT value FROM (${source}) sources) of_${raw(column)}`;
}
