// SQL for reading jobs, shared by both stores.

import { QueueError } from '../../errors/errors.ts';
import type { Job } from '../../job/job.ts';
import type { Sort } from '../store.ts';

/** A job with data from its last attempt. */
export const JOB_COLUMNS = 'j.*, a.log_path, a.peak_memory_bytes, a.cpu_user_ms, a.cpu_system_ms';

/** A job's log and resource usage are those of its last attempt. */
export const JOBS = 'jobs j LEFT JOIN attempts a ON a.job_seq = j.seq AND a.number = j.runs';

const ORDER: Record<Sort, string> = {
  created: 'j.seq',
  updated: 'j.updated_at',
  priority: 'j.priority',
  next_run: 'j.next_run_at',
  finished: 'j.finished_at',
  duration: 'j.duration_ms',
  attempts: 'j.attempts',
};

interface Order {
  readonly sort: Sort;
  readonly descending: boolean;
}

export const directionOf = ({ descending }: Pick<Order, 'descending'>): 'DESC' | 'ASC' => (descending ? 'DESC' : 'ASC');

/** Returns the column of a sort order. */
export const sortColumn = (sort: Sort): string => ORDER[sort];

export function orderOf(query: Order): string {
  const order = `${ORDER[query.sort]} ${directionOf(query)}`;
  return query.sort === 'created' ? order : `${order} NULLS LAST, j.seq`;
}

/** Returns the jobs in the order of the IDs. IDs without a job are skipped. */
export function inOrderOf(ids: readonly string[], jobs: readonly Job[]): Job[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return ids.map((id) => byId.get(id)).filter((job) => job !== undefined);
}

/** Error for a prefix that several IDs start with. Expects at most four IDs. */
export function ambiguous(prefix: string, ids: readonly string[]): QueueError {
  const matches = ids.slice(0, 3).join(', ') + (ids.length > 3 ? ', ...' : '');
  return new QueueError('ambiguous_id', { prefix, noun: 'job', matches });
}
