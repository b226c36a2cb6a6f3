// Jobs a page at a time. In the order of creation the way there is data (src/store/sql/page-path.ts): how far it may be looked
// is found out first, on the index alone; then the jobs up to there are compared with what the index does not have.

import { directionOf, JOB_COLUMNS, JOBS, orderOf } from '../sql/job-sql.ts';
import { behind, endOf } from '../sql/page-end.ts';
import { type Leg, type PagePath, pathOf } from '../sql/page-path.ts';
import { jobOf, type Row } from '../rows/rows.ts';
import type { CountedSome, JobFilter, JobPage, PageQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { matching, whereAll } from './list.ts';

type Value = string | number;

interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function page(connection: Connection, query: PageQuery): JobPage {
  return query.sort === 'created' ? pageInOrder(connection, query) : pageBySort(connection, query);
}

export function countSome(
  connection: Connection,
  filter: JobFilter,
  lookAt: number,
  after: number | null,
): CountedSome {
  const [path, walk] = [pathOf(filter), { after, descending: true }];
  const { lookedAt, last } = lookAhead(connection, path, walk, lookAt);
  const next = lookedAt < lookAt ? null : last;
  if (path.rest.length === 0 || last === null) return { count: lookedAt, lookedAt, next };
  const { from, where, values } = jobsUpTo(path, walk, last, 'jobs j');
  const row = connection.sql(`SELECT count(*) AS n FROM ${from} WHERE ${where}`).get(...values);
  return { count: Number(row?.n), lookedAt, next };
}

function pageInOrder(connection: Connection, query: PageQuery): JobPage {
  const path = pathOf(query);
  const walk = { after: query.after?.seq ?? null, descending: query.descending };
  const lookAt = path.rest.length === 0 ? query.limit : query.lookAt;
  const { lookedAt, last } = lookAhead(connection, path, walk, lookAt);
  if (last === null) return { jobs: [], lookedAt, next: null };
  const { from, where, values } = jobsUpTo(path, walk, last, JOBS);
  const order = orderOf(query);
  const rows = connection
    .sql(`SELECT ${JOB_COLUMNS} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ?`)
    .all(...values, query.limit) as Row[];
  const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
  const isEnd = lookedAt < lookAt;
  const next = lastRow ? endOf(lastRow, query) : isEnd ? null : { value: null, seq: last };
  return { jobs: rows.map(jobOf), lookedAt, next };
}

/** Every job that matches is compared: no index is in such an order. */
function pageBySort(connection: Connection, query: PageQuery): JobPage {
  const { where, values } = matching(query);
  const numbers: number[] = [];
  const number = (n: number): string => {
    numbers.push(n);
    return '?';
  };
  const start = query.after ? ` AND ${behind(query, query.after, number)}` : '';
  const rows = connection
    .sql(`SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where}${start} ORDER BY ${orderOf(query)} LIMIT ?`)
    .all(...values, ...numbers, query.limit) as Row[];
  const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
  return { jobs: rows.map(jobOf), lookedAt: rows.length, next: lastRow ? endOf(lastRow, query) : null };
}

/** Which way, and from where. */
interface Walk {
  readonly after: number | null;
  readonly descending: boolean;
}

/** How many jobs there are on the way, up to `lookAt`, and the last of them. */
function lookAhead(connection: Connection, path: PagePath, walk: Walk, lookAt: number) {
  const direction = directionOf(walk);
  const { sql, values } = seqsOn(path, behindIn(path.seq, walk), {
    sql: `ORDER BY ${path.seq} ${direction} LIMIT ?`,
    values: [lookAt],
  });
  const row = connection
    .sql(
      `SELECT count(*) AS n, ${walk.descending ? 'min' : 'max'}(seq) AS last FROM (
        SELECT seq FROM (${sql}) ORDER BY seq ${direction} LIMIT ?)`,
    )
    .get(...values, lookAt);
  return { lookedAt: Number(row?.n), last: row?.last == null ? null : Number(row.last) };
}

interface Jobs {
  readonly from: string;
  readonly where: string;
  readonly values: readonly Value[];
}

/**
 * The jobs on the way, up to this one and with it, that meet the rest of the filter. CROSS JOIN, or SQLite might go through
 * all jobs that meet the rest, and look each of them up on the way.
 */
function jobsUpTo(path: PagePath, walk: Walk, last: number, jobs: string): Jobs {
  const rest = whereAll(path.rest, 'j');
  if (path.index === null && path.legs.length === 0) {
    const { sql, values } = rangeOf('j.seq', walk, last);
    return { from: jobs, where: `${rest.where}${sql}`, values: [...rest.values, ...values] };
  }
  const { sql, values } = seqsUpTo(path, walk, last);
  const from = `(${sql}) passed CROSS JOIN ${jobs}`;
  return { from, where: `j.seq = passed.seq AND ${rest.where}`, values: [...values, ...rest.values] };
}

/** The same as seqsOn() with a last one instead of a limit, so that each leg is a range of the index. */
function seqsUpTo(path: PagePath, walk: Walk, last: number): Part {
  const { table, seq, index, within, legs } = path;
  const sources = legs.map(sourceOf);
  const range = rangeOf(`e.${seq}`, walk, last);
  const equal = legs.map(({ column }) => ` AND e.${column} = of_${column}.value`).join('');
  const by = index === null ? '' : `INDEXED BY ${index}`;
  const from = [...sources.map(({ sql }) => sql), `${table} e ${by}`].join(' CROSS JOIN ');
  return {
    sql: `SELECT DISTINCT e.${seq} AS seq FROM ${from} WHERE ${within ?? '1'}${equal}${range.sql}`,
    values: [...sources.flatMap(({ values }) => values), ...range.values],
  };
}

function rangeOf(column: string, walk: Walk, last: number): Part {
  const { sql, values } = behindIn(column, walk);
  return { sql: `${sql} AND ${column} ${walk.descending ? '>=' : '<='} ?`, values: [...values, last] };
}

const behindIn = (column: string, { after, descending }: Walk): Part =>
  after === null
    ? { sql: '', values: [] }
    : { sql: ` AND ${column} ${descending ? '<' : '>'} ?`, values: [after] };

/** The places of the jobs on the way. Each leg is bounded by itself; one job may be on several. */
function seqsOn({ table, seq, index, within, legs }: PagePath, bounds: Part, end: Part): Part {
  const by = index === null ? '' : `INDEXED BY ${index}`;
  const equal = legs.map(({ column }) => ` AND ${column} = of_${column}.value`).join('');
  const leg = `SELECT ${seq} AS seq FROM ${table} ${by} WHERE ${within ?? '1'}${equal}${bounds.sql} ${end.sql}`;
  if (legs.length === 0) return { sql: leg, values: [...bounds.values, ...end.values] };
  const sources = legs.map(sourceOf);
  return {
    sql: `SELECT DISTINCT e.seq FROM ${sources.map(({ sql }) => sql).join(' CROSS JOIN ')}
      CROSS JOIN jobs e ON e.seq IN (${leg})`,
    values: [...sources.flatMap(({ values }) => values), ...bounds.values, ...end.values],
  };
}

const sourceOf = ({ column, values }: Leg): Part =>
  values === 'every queue'
    ? { sql: `(SELECT DISTINCT queue AS value FROM counters WHERE n > 0) of_${column}`, values: [] }
    : { sql: `(SELECT DISTINCT value FROM json_each(?)) of_${column}`, values: [JSON.stringify(values)] };
