// Looking at jobs: by id, by filter, by history, in numbers. What `status` needs comes from counters.

import { QueueError } from '../../errors.ts';
import type { Attempt, Job, JobState } from '../../job/job.ts';
import { ambiguous, directionOf, inOrderOf, isOfTheEnds, JOBS, noCounts, orderOf } from '../looking.ts';
import { attemptOf, jobOf, quoted, type Row } from '../rows.ts';
import type { JobFilter, ListQuery, Overview, QueueCounts } from '../store.ts';
import { nextDueAt } from './claim.ts';
import type { Connection } from './connection.ts';

export function get(connection: Connection, id: string): Job | null {
  const row = connection.sql(`SELECT j.*, a.log_path FROM ${JOBS} WHERE j.id = ?`).get(id) as Row | undefined;
  return row ? jobOf(row) : null;
}

/** Ids that start with the prefix, a few of them. Ids are ASCII, so '~' sorts after every one of them. */
function idsStartingWith(connection: Connection, prefix: string): string[] {
  const rows = connection
    .sql('SELECT id FROM jobs WHERE id >= ? AND id < ? ORDER BY id LIMIT 4')
    .all(prefix, `${prefix}~`);
  return rows.map((row) => String(row.id));
}

export function find(connection: Connection, idOrPrefix: string): Job {
  const exact = get(connection, idOrPrefix);
  if (exact) return exact;
  const ids = idOrPrefix === '' ? [] : idsStartingWith(connection, idOrPrefix);
  if (ids.length > 1) throw ambiguous(idOrPrefix, ids);
  const only = ids[0] === undefined ? null : get(connection, ids[0]);
  if (!only) throw new QueueError('job_not_found', { id: idOrPrefix });
  return only;
}

export function history(connection: Connection, id: string): Attempt[] {
  const rows = connection
    .sql('SELECT * FROM attempts WHERE job_seq = (SELECT seq FROM jobs WHERE id = ?) ORDER BY number')
    .all(id) as Row[];
  return rows.map(attemptOf);
}

export function list(connection: Connection, query: ListQuery): Job[] {
  const byState = isOfTheEnds(query) && (query.states || query.queue);
  const { where, values } = byState ? newestOfEach(query) : matching(query);
  const rows = connection
    .sql(
      `SELECT j.*, a.log_path FROM ${JOBS} WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? -1}`,
    )
    .all(...values) as Row[];
  return rows.map(jobOf);
}

/** As one JSON text: a row for each id would take ten times the memory. */
export function idsOf(connection: Connection, query: ListQuery): string[] {
  const { where, values } = matching(query);
  const row = connection
    .sql(
      `SELECT json_group_array(id) AS ids FROM (
        SELECT j.id FROM jobs j WHERE ${where} ORDER BY ${orderOf(query)} LIMIT ${query.limit ?? -1})`,
    )
    .get(...values);
  return JSON.parse(String(row?.ids)) as string[];
}

export function getAll(connection: Connection, ids: readonly string[], filter: JobFilter): Job[] {
  const { where, values } = matching(filter);
  const rows = connection
    .sql(`SELECT j.*, a.log_path FROM ${JOBS} WHERE j.id IN (SELECT value FROM json_each(?)) AND ${where}`)
    .all(JSON.stringify(ids), ...values) as Row[];
  return inOrderOf(ids, rows.map(jobOf));
}

/** The ends of the (state, queue) ranges of the index, instead of a scan of the table. */
function newestOfEach(query: ListQuery): { where: string; values: string[] } {
  const direction = directionOf(query);
  const { where, values } = matching(query, 'c');
  return {
    where: `j.seq IN (
      SELECT e.seq FROM counters c CROSS JOIN jobs e ON e.seq IN (
        SELECT seq FROM jobs WHERE state = c.state AND queue = c.queue
        ORDER BY seq ${direction} LIMIT ${query.limit ?? -1})
      WHERE c.n > 0 AND ${where})`,
    values,
  };
}

function matching(filter: JobFilter, table = 'j'): { where: string; values: string[] } {
  const conditions = ['1'];
  const values: string[] = [];
  if (filter.states) conditions.push(`${table}.state IN (${quoted(filter.states)})`);
  if (filter.queue !== undefined) {
    conditions.push(`${table}.queue = ?`);
    values.push(filter.queue);
  }
  if (filter.search) {
    conditions.push(
      `(j.id LIKE ? ESCAPE '\\' OR j.command LIKE ? ESCAPE '\\' OR j.last_error LIKE ? ESCAPE '\\')`,
    );
    const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    values.push(pattern, pattern, pattern);
  }
  return { where: conditions.join(' AND '), values };
}

/** The seqs of all jobs that match, for changes to many at once. */
export function matchingSeqs(connection: Connection, filter: JobFilter): number[] {
  const { where, values } = matching(filter);
  const rows = connection.sql(`SELECT j.seq FROM jobs j WHERE ${where} ORDER BY j.seq`).all(...values);
  return rows.map((row) => Number(row.seq));
}

export function overview(connection: Connection, now: number): Overview {
  const queues = new Map<string, Record<JobState, number>>();
  for (const row of connection.sql('SELECT queue, state, n FROM counters WHERE n > 0 ORDER BY queue').all()) {
    const counts = queues.get(String(row.queue)) ?? noCounts();
    counts[row.state as JobState] = Number(row.n);
    queues.set(String(row.queue), counts);
  }
  return {
    queues: [...queues].map(([queue, counts]): QueueCounts => {
      return { queue, counts, oldestPendingAt: oldestPending(connection, queue, now) };
    }),
    nextRetryAt: nextDueAt(connection, ['failed']),
    nextDueAt: nextDueAt(connection),
  };
}

/** How many jobs are looked at for the one that waits longest: enough to be right, few enough to cost nothing. */
const LOOK_AT = 500;

/**
 * Since when the longest waiting job of a queue could have run, whether or not a worker has looked since. Asks the
 * first ones to come in and the next ones to run: behind very many scheduled jobs it may miss the oldest.
 */
function oldestPending(connection: Connection, queue: string, now: number): number | null {
  const row = connection
    .sql(`
      SELECT min(next_run_at) AS at FROM (
        SELECT * FROM (SELECT next_run_at FROM jobs WHERE state = 'pending' AND queue = $queue
          ORDER BY seq LIMIT ${LOOK_AT})
        UNION ALL
        SELECT * FROM (SELECT next_run_at FROM jobs WHERE state = 'failed' AND queue = $queue
          ORDER BY seq LIMIT ${LOOK_AT})
        UNION ALL
        SELECT * FROM (SELECT next_run_at FROM jobs WHERE ready = 1 AND queue = $queue
          ORDER BY priority DESC, seq LIMIT ${LOOK_AT}))
      WHERE next_run_at <= $now`)
    .get({ $queue: queue, $now: now });
  return (row?.at as number | null | undefined) ?? null;
}
