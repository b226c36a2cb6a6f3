// What both SQL stores say alike when they look at jobs.

import { QueueError } from '../errors.ts';
import { type Job, type JobState, STATES } from '../job/job.ts';
import type { ListQuery, Sort } from './store.ts';

/** A job's log is that of its last attempt. */
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

export const directionOf = ({ descending }: ListQuery): 'DESC' | 'ASC' => (descending ? 'DESC' : 'ASC');

export function orderOf(query: ListQuery): string {
  const order = `${ORDER[query.sort]} ${directionOf(query)}`;
  return query.sort === 'created' ? order : `${order} NULLS LAST, j.seq`;
}

/** A few of the first or the last: an index has them at its end. */
export const isOfTheEnds = ({ sort, search, limit }: ListQuery): boolean =>
  sort === 'created' && !search && limit !== null;

/** The jobs in the order of their ids; ids without a job are passed over. */
export function inOrderOf(ids: readonly string[], jobs: readonly Job[]): Job[] {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return ids.map((id) => byId.get(id)).filter((job) => job !== undefined);
}

/** Of those that start so, at most four. */
export function ambiguous(prefix: string, ids: readonly string[]): QueueError {
  const matches = ids.slice(0, 3).join(', ') + (ids.length > 3 ? ', ...' : '');
  return new QueueError('ambiguous_id', { prefix, noun: 'job', matches });
}

export const noCounts = (): Record<JobState, number> =>
  Object.fromEntries(STATES.map((state) => [state, 0])) as Record<JobState, number>;

/** What is wrong when jobs refer to environments that are not there; nothing when there are no such jobs. */
export const missingEnvironments = (jobs: number): string[] =>
  jobs === 0
    ? []
    : [`${jobs} ${jobs === 1 ? 'job refers' : 'jobs refer'} to an environment that is not there`];

/** How many such jobs there are, in both dialects. */
export const WITHOUT_ENVIRONMENT = `
  SELECT count(*) AS n FROM jobs
  WHERE environment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM environments e WHERE e.id = environment_id)`;
