// Looking at jobs: by id, by filter, by history, in numbers. What `status` needs comes from counters.

import { QueueError } from '../../errors.ts';
import type { Attempt, Job, JobState } from '../../job/job.ts';
import { ambiguous, directionOf, inOrderOf, isOfTheEnds, JOBS, noCounts, orderOf } from '../looking.ts';
import { attemptOf, jobOf, type Row } from '../rows.ts';
import type { JobFilter, ListQuery, Overview, QueueCounts } from '../store.ts';
import { dueAt, NEXT_DUE_AT } from './claim.ts';
import { type Connection, LONG_MS, type Session } from './connection.ts';
import { COUNTS, WORTH_FOLDING } from './counters.ts';
import { now } from './rows.ts';

export async function get(connection: Connection, id: string): Promise<Job | null> {
  if (id.includes('\0')) return null; // which no text of PostgreSQL holds
  const { rows } = await connection.query(`SELECT j.*, a.log_path FROM ${JOBS} WHERE j.id = $1`, [id]);
  return rows[0] ? jobOf(rows[0]) : null;
}

/** In the order of the ids. */
export async function getAll(
  session: Session,
  ids: readonly string[],
  filter: JobFilter = {},
): Promise<Job[]> {
  const { where, values } = matching(filter);
  const { rows } = await session.sql(
    `SELECT j.*, a.log_path FROM ${JOBS} WHERE ${where} AND j.id = ANY($${values.length + 1}::text[])`,
    [...values, ids],
  );
  return inOrderOf(ids, rows.map(jobOf));
}

/** The job itself, or a few whose ids start with the text. Ids are ASCII, so '~' sorts after all of them. */
const FIND = `
  SELECT j.*, a.log_path FROM ${JOBS} WHERE j.seq = ANY(ARRAY(
    (SELECT seq FROM jobs WHERE id = $1)
    UNION ALL
    (SELECT seq FROM jobs WHERE $1 <> '' AND id > $1 AND id < $1 || '~' ORDER BY id LIMIT 4)))
  ORDER BY j.id`;

export async function find(connection: Connection, idOrPrefix: string): Promise<Job> {
  const { rows } = idOrPrefix.includes('\0') ? { rows: [] } : await connection.query(FIND, [idOrPrefix]);
  const [first] = rows;
  if (!first) throw new QueueError('job_not_found', { id: idOrPrefix });
  if (first.id === idOrPrefix || rows.length === 1) return jobOf(first);
  throw ambiguous(
    idOrPrefix,
    rows.map((row) => String(row.id)),
  );
}

export async function history(connection: Connection, id: string): Promise<Attempt[]> {
  if (id.includes('\0')) return [];
  const { rows } = await connection.query(
    'SELECT * FROM attempts WHERE job_seq = (SELECT seq FROM jobs WHERE id = $1) ORDER BY number',
    [id],
  );
  return rows.map(attemptOf);
}

/** Whether its cost does not grow with the queue. */
export const isShort = (query: ListQuery): boolean => isOfTheEnds(query);

export async function list(connection: Connection, query: ListQuery): Promise<Job[]> {
  const byState = isOfTheEnds(query) && (query.states || query.queue);
  const { where, values } = byState ? newestOfEach(query) : matching(query);
  const limit = query.limit === null ? 'ALL' : String(query.limit);
  const statement = `SELECT j.*, a.log_path FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${limit}`;
  const { rows } = isShort(query)
    ? await connection.query(statement, values)
    : await connection.read((session) => session.sql(statement, values), LONG_MS);
  return rows.map(jobOf);
}

/** As one JSON text: a row for each id would take ten times the memory. */
export async function idsOf(connection: Connection, query: ListQuery): Promise<string[]> {
  const { where, values } = matching(query);
  const statement = `
    SELECT coalesce(json_agg(id), '[]')::text AS ids FROM (
      SELECT j.id FROM jobs j WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? 'ALL'}) ordered`;
  const { rows } = await connection.read((session) => session.sql(statement, values), LONG_MS);
  return JSON.parse(String(rows[0]?.ids)) as string[];
}

interface Condition {
  readonly where: string;
  readonly values: unknown[];
}

/** The ends of the (state, queue) ranges of the index, instead of a scan of the table. */
function newestOfEach(query: ListQuery): Condition {
  const direction = directionOf(query);
  const { where, values } = matching(query, 'c');
  return {
    where: `j.seq = ANY(ARRAY(
      SELECT e.seq FROM (${COUNTS}) c CROSS JOIN LATERAL (
        SELECT seq FROM jobs WHERE state = c.state AND queue = c.queue
        ORDER BY seq ${direction} LIMIT ${query.limit}) e
      WHERE ${where} ORDER BY e.seq ${direction} LIMIT ${query.limit}))`,
    values,
  };
}

export function matching(filter: JobFilter, table = 'j'): Condition {
  const conditions = ['true'];
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  if (filter.states) conditions.push(`${table}.state = ANY(${parameter([...filter.states])}::text[])`);
  if (filter.queue !== undefined) conditions.push(`${table}.queue = ${parameter(filter.queue)}::text`);
  if (filter.search?.includes('\0')) conditions.push('false');
  else if (filter.search) {
    const pattern = parameter(`%${filter.search.replace(/[\\%_]/g, '\\$&')}%`);
    const texts = [`${table}.id`, `${table}.command`, `${table}.last_error`];
    conditions.push(`(${texts.map((text) => `${text} ILIKE ${pattern}::text`).join(' OR ')})`);
  }
  return { where: conditions.join(' AND '), values };
}

/** How many jobs are looked at for the one that waits longest: enough to be right, few enough to cost nothing. */
const LOOK_AT = 500;

/**
 * Since when the longest waiting job of a queue could have run, whether or not a worker has looked since. Asks the
 * first ones to come in and the next ones to run: behind very many scheduled jobs it may miss the oldest.
 */
const OLDEST_PENDING = `(
  SELECT min(next_run_at) FROM (
    (SELECT next_run_at FROM jobs WHERE state = 'pending' AND queue = c.queue ORDER BY seq LIMIT ${LOOK_AT})
    UNION ALL
    (SELECT next_run_at FROM jobs WHERE state = 'failed' AND queue = c.queue ORDER BY seq LIMIT ${LOOK_AT})
    UNION ALL
    (SELECT next_run_at FROM jobs WHERE ready = 1 AND queue = c.queue
      ORDER BY priority DESC, seq LIMIT ${LOOK_AT})) waiting
  WHERE next_run_at <= ${now('$1')})`;

const QUEUES = `
  SELECT c.queue, json_object_agg(c.state, c.n) AS counts, ${OLDEST_PENDING} AS oldest
  FROM (${COUNTS}) c GROUP BY c.queue ORDER BY c.queue`;

export interface Seen {
  readonly overview: Overview;
  /** Whether so many differences were summed that folding them is worth it. */
  readonly isLong: boolean;
}

export function overview(connection: Connection): Promise<Seen> {
  return connection.read(async (session) => {
    const [queues, rest] = await Promise.all([
      session.sql(QUEUES, [connection.givenNow]),
      session.sql(`
        SELECT ${dueAt('failed')} AS next_retry_at, ${NEXT_DUE_AT} AS next_due_at,
          (SELECT count(*) FROM counters) > ${WORTH_FOLDING} AS is_long`),
    ]);
    const row = rest.rows[0] ?? {};
    return {
      overview: {
        queues: queues.rows.map(countsOf),
        nextRetryAt: row.next_retry_at as number | null,
        nextDueAt: row.next_due_at as number | null,
      },
      isLong: row.is_long as boolean,
    };
  });
}

const countsOf = (row: Row): QueueCounts => ({
  queue: String(row.queue),
  counts: { ...noCounts(), ...(row.counts as Partial<Record<JobState, number>>) },
  oldestPendingAt: row.oldest as number | null,
});

/** Counters that disagree with a recount: a bug if there are any. */
export async function miscounts(connection: Connection): Promise<string[]> {
  const recount = `
    SELECT queue, state, sum(n)::bigint AS off FROM (
      SELECT queue, state, n FROM counters UNION ALL
      SELECT queue, state, -count(*) FROM jobs GROUP BY queue, state) both_counts
    GROUP BY queue, state HAVING sum(n) <> 0`;
  const { rows } = await connection.read((session) => session.sql(recount), LONG_MS);
  return rows.map((row) => `the counter of ${row.state} jobs in queue ${row.queue} is off by ${row.off}`);
}
