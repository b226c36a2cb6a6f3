// Jobs a page at a time. In the order of creation the way there is data (src/store/sql/page-path.ts): how far it may be looked
// is found out first, on the index alone; then the jobs up to there are compared with what the index does not have.

import { directionOf, JOB_COLUMNS, JOBS, orderOf } from '../sql/job-sql.ts';
import { behind, endOf } from '../sql/page-end.ts';
import { type Leg, type PagePath, pathOf } from '../sql/page-path.ts';
import { jobOf } from '../rows/rows.ts';
import type { CountedSome, JobFilter, JobPage, PageQuery } from '../store.ts';
import { type Connection, LONG_MS, type Session } from './session/connection.ts';
import { COUNTS } from './counters.ts';
import { matching, type Parameter, whereAll } from './list.ts';

export const page = (connection: Connection, query: PageQuery): Promise<JobPage> =>
  query.sort === 'created' ? pageInOrder(connection, query) : pageBySort(connection, query);

export function countSome(
  connection: Connection,
  filter: JobFilter,
  lookAt: number,
  after: number | null,
): Promise<CountedSome> {
  const [path, walk] = [pathOf(filter), { after, descending: true }];
  return connection.read(async (session) => {
    const { lookedAt, last } = await lookAhead(session, path, walk, lookAt);
    const next = lookedAt < lookAt ? null : last;
    if (path.rest.length === 0 || last === null) return { count: lookedAt, lookedAt, next };
    const { values, parameter } = parameters();
    const where = jobsUpTo(path, walk, last, parameter);
    const { rows } = await session.sql(`SELECT count(*) AS n FROM jobs j WHERE ${where}`, values);
    return { count: Number(rows[0]?.n), lookedAt, next };
  });
}

function pageInOrder(connection: Connection, query: PageQuery): Promise<JobPage> {
  const path = pathOf(query);
  const walk = { after: query.after?.seq ?? null, descending: query.descending };
  const lookAt = path.rest.length === 0 ? query.limit : query.lookAt;
  return connection.read(async (session) => {
    const { lookedAt, last } = await lookAhead(session, path, walk, lookAt);
    if (last === null) return { jobs: [], lookedAt, next: null };
    const { values, parameter } = parameters();
    const where = jobsUpTo(path, walk, last, parameter);
    const { rows } = await session.sql(
      `SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${parameter(query.limit)}`,
      values,
    );
    const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
    const isEnd = lookedAt < lookAt;
    const next = lastRow ? endOf(lastRow, query) : isEnd ? null : { value: null, seq: last };
    return { jobs: rows.map(jobOf), lookedAt, next };
  });
}

/** Every job that matches is compared: no index is in such an order. */
async function pageBySort(connection: Connection, query: PageQuery): Promise<JobPage> {
  const { where, values } = matching(query);
  const number = (n: number): string => `$${values.push(n)}::bigint`;
  const start = query.after ? ` AND ${behind(query, query.after, number)}` : '';
  const statement = `
    SELECT ${JOB_COLUMNS} FROM ${JOBS} WHERE ${where}${start}
    ORDER BY ${orderOf(query)} LIMIT ${number(query.limit)}`;
  const { rows } = await connection.read((session) => session.sql(statement, values), LONG_MS);
  const lastRow = rows.length === query.limit ? rows.at(-1) : undefined;
  return { jobs: rows.map(jobOf), lookedAt: rows.length, next: lastRow ? endOf(lastRow, query) : null };
}

/** Which way, and from where. */
interface Walk {
  readonly after: number | null;
  readonly descending: boolean;
}

/** How many jobs there are on the way, up to `lookAt`, and the last of them. */
async function lookAhead(session: Session, path: PagePath, walk: Walk, lookAt: number) {
  const { values, parameter } = parameters();
  const [direction, limit] = [directionOf(walk), `${parameter(lookAt)}::bigint`];
  const end = `ORDER BY ${path.seq} ${direction} LIMIT ${limit}`;
  const seqs = seqsOn(path, behindIn(path.seq, walk, parameter), end, parameter);
  const { rows } = await session.sql(
    `SELECT count(*) AS n, ${walk.descending ? 'min' : 'max'}(seq) AS last FROM (
      SELECT seq FROM (${seqs}) passed ORDER BY seq ${direction} LIMIT ${limit}) looked`,
    values,
  );
  const [row] = rows;
  return { lookedAt: Number(row?.n), last: row?.last == null ? null : Number(row.last) };
}

/** The jobs on the way, up to this one and with it, that meet the rest of the filter. */
function jobsUpTo(path: PagePath, walk: Walk, last: number, parameter: Parameter): string {
  const range = (column: string): string => rangeOf(column, walk, last, parameter);
  const onTheWay =
    path.index === null && path.legs.length === 0
      ? `true${range('j.seq')}`
      : `j.seq = ANY(ARRAY(${seqsOn(path, range(path.seq), '', parameter)}))`;
  return `${onTheWay} AND ${whereAll(path.rest, 'j', parameter)}`;
}

const rangeOf = (column: string, walk: Walk, last: number, parameter: Parameter): string =>
  `${behindIn(column, walk, parameter)} AND ${column} ${walk.descending ? '>=' : '<='} ${parameter(last)}::bigint`;

const behindIn = (column: string, { after, descending }: Walk, parameter: Parameter): string =>
  after === null ? '' : ` AND ${column} ${descending ? '<' : '>'} ${parameter(after)}::bigint`;

/** The places of the jobs on the way. Each leg is bounded by itself; one job may be on several. */
function seqsOn(
  { table, seq, within, legs }: PagePath,
  bounds: string,
  end: string,
  parameter: Parameter,
): string {
  const equal = legs.map(({ column }) => ` AND ${column} = of_${column}.value`).join('');
  const leg = `SELECT ${seq} AS seq FROM ${table} WHERE ${within ?? 'true'}${equal}${bounds} ${end}`;
  if (legs.length === 0) return leg;
  const sources = legs.map((one) => sourceOf(one, parameter)).join(' CROSS JOIN ');
  return `SELECT DISTINCT e.seq FROM ${sources} CROSS JOIN LATERAL (${leg}) e`;
}

const sourceOf = ({ column, values }: Leg, parameter: Parameter): string =>
  values === 'every queue'
    ? `(SELECT DISTINCT queue AS value FROM (${COUNTS}) counted) of_${column}`
    : `(SELECT DISTINCT unnest(${parameter(values)}::text[]) AS value) of_${column}`;

function parameters(): { values: unknown[]; parameter: Parameter } {
  const values: unknown[] = [];
  return { values, parameter: (value) => `$${values.push(value)}` };
}
