// The answer to enqueue: a line for each job, with the time it will run if that is not now.

import type { Job } from '../job/job.ts';
import { dateTime, fromNow } from './render/human.ts';

type Scheduled = Pick<Job, 'runAt' | 'createdAt'>;

/** Less than this before or after is now: a clock was read twice. */
const NOW_MS = 1000;
const MINUTE_MS = 60_000;

export const enqueuedText = (job: Scheduled): string => ['enqueued', ...whenText(job)].join('  ');

function whenText({ runAt, createdAt }: Scheduled): string[] {
  if (runAt === null || Math.abs(runAt - createdAt) < NOW_MS) return [];
  const isSoon = Math.abs(runAt - createdAt) < MINUTE_MS;
  const time = dateTime(runAt).slice(0, isSoon ? undefined : 'YYYY-MM-DD hh:mm'.length);
  return [runAt < createdAt ? `runs now: ${time} has passed` : `runs ${fromNow(runAt, createdAt)} (${time})`];
}
