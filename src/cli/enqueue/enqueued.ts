// The output of enqueue: a line for each job, with its start time unless that is now.

import type { Job, NewJob } from '../../job/job.ts';
import { count, dateTime, fromNow, many } from '../render/kit/human.ts';

type Scheduled = Pick<Job, 'runAt' | 'createdAt'>;

/** A smaller difference counts as now, because the clock was read twice. */
const NOW_MS = 1000;
const MINUTE_MS = 60_000;

/** `job` is the existing job if the given one was not enqueued because of its unique key. */
export function arrivedText(given: NewJob | undefined, job: Job): string {
  if (given?.id !== job.id) return existsText(job);
  return endedOnArrival(given, job) ?? enqueuedText(job);
}

/** Reports a job that was cancelled or held at once, because a dependency had already failed. */
function endedOnArrival({ dependsOn }: NewJob, { state, lastError, held }: Job): string | null {
  if (dependsOn.length === 0) return null;
  if (state === 'cancelled' && lastError !== null) return `cancelled  ${lastError}`;
  return held === null ? null : `held  ${held}`;
}

export const existsText = ({ state }: Pick<Job, 'state'>): string => `exists  ${state}`;

export const enqueuedText = (job: Scheduled): string => ['enqueued', ...whenText(job)].join('  ');

/** `suffix` applies only to the enqueued jobs. */
export function manyArrivedText(enqueued: number, existing: number, suffix: string): string {
  const there = existing === 0 ? '' : `, ${count(existing)} already ${existing === 1 ? 'exists' : 'exist'}`;
  return `${many(enqueued, 'job')} enqueued${enqueued > 0 ? suffix : ''}${there}`;
}

function whenText({ runAt, createdAt }: Scheduled): string[] {
  if (runAt === null || Math.abs(runAt - createdAt) < NOW_MS) return [];
  const isSoon = Math.abs(runAt - createdAt) < MINUTE_MS;
  const time = dateTime(runAt).slice(0, isSoon ? undefined : 'YYYY-MM-DD hh:mm'.length);
  return [runAt < createdAt ? `runs now: ${time} is in the past` : `runs ${fromNow(runAt, createdAt)} (${time})`];
}
