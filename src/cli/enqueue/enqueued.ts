// The answer to enqueue: a line for each job, with the time it will run if that is not now.

import type { Job, NewJob } from '../../job/job.ts';
import { count, dateTime, fromNow, many } from '../render/kit/human.ts';

type Scheduled = Pick<Job, 'runAt' | 'createdAt'>;

/** Less than this before or after is now: a clock was read twice. */
const NOW_MS = 1000;
const MINUTE_MS = 60_000;

/** What became of a job that was given: a unique one may have been left out for one that is there. */
export function arrivedText(given: NewJob | undefined, job: Job): string {
  if (given?.id !== job.id) return existsText(job);
  return endedOnArrival(given, job) ?? enqueuedText(job);
}

/** What it waits for may have ended the wrong way long ago: then nothing will run, and nobody would look. */
function endedOnArrival({ dependsOn }: NewJob, { state, lastError, held }: Job): string | null {
  if (dependsOn.length === 0) return null;
  if (state === 'cancelled' && lastError !== null) return `cancelled  ${lastError}`;
  return held === null ? null : `held  ${held}`;
}

export const existsText = ({ state }: Pick<Job, 'state'>): string => `exists  ${state}`;

export const enqueuedText = (job: Scheduled): string => ['enqueued', ...whenText(job)].join('  ');

/** `suffix` says what they belong to, which those that exist already need not. */
export function manyArrivedText(enqueued: number, existing: number, suffix: string): string {
  const there = existing === 0 ? '' : `, ${count(existing)} already ${existing === 1 ? 'exists' : 'exist'}`;
  return `${many(enqueued, 'job')} enqueued${enqueued > 0 ? suffix : ''}${there}`;
}

function whenText({ runAt, createdAt }: Scheduled): string[] {
  if (runAt === null || Math.abs(runAt - createdAt) < NOW_MS) return [];
  const isSoon = Math.abs(runAt - createdAt) < MINUTE_MS;
  const time = dateTime(runAt).slice(0, isSoon ? undefined : 'YYYY-MM-DD hh:mm'.length);
  return [
    runAt < createdAt ? `runs now: ${time} is in the past` : `runs ${fromNow(runAt, createdAt)} (${time})`,
  ];
}
