// Why a job is not running, or its outcome, as data.

import { isoTime, type Json } from '../../job/wire.ts';
import type { Job } from '../../job/job.ts';
import type { Details } from '../details.ts';
import { waitToJson } from './wait.ts';

/** `why` is the explanation in words. */
export const whyToJson = ({ job, waits }: Details, why: string): Json => ({
  id: job.id,
  name: job.name,
  state: job.state,
  why,
  waiting_reasons: waits.map(waitToJson),
  next_run_at: isoTime(job.nextRunAt),
  started_at: isoTime(job.startedAt),
  finished_at: isoTime(job.finishedAt),
  exit_code: job.exitCode,
  last_error: job.lastError,
});

/** The explanation in words for programs, with exact UTC times. */
export const sentencesOf = ({ job, waits }: Details): string[] => [
  ...standing(job),
  ...(hasFailed(job) && job.lastError !== null ? [job.lastError] : []),
  ...waits.map(({ message }) => message),
];

const hasFailed = ({ state }: Job): boolean => ['failed', 'dead', 'cancelled'].includes(state);

function standing(job: Job): string[] {
  switch (job.state) {
    case 'blocked':
    case 'pending':
      return [];
    case 'processing':
      return [`running on worker ${job.lockedBy} since ${isoTime(job.startedAt)}`];
    case 'failed':
      return [`retry ${job.attempts} of ${job.maxRetries} at ${isoTime(job.nextRunAt)}`];
    case 'dead':
      return ['dead: no automatic retries left; retry it manually'];
    default:
      return [`${job.state} at ${isoTime(job.finishedAt)}`];
  }
}
