// The exit code of `run` and `wait` for a finished job: the job's own exit code, as a shell would report it.

import { constants } from 'node:os';
import type { Job } from './job.ts';

const SIGNALLED = 128;
const INTERRUPTED = 130;

export function exitCodeOf(job: Pick<Job, 'state' | 'exitCode' | 'signal'>): number {
  if (job.state === 'completed') return 0;
  if (job.state === 'cancelled') return INTERRUPTED;
  if (job.exitCode) return job.exitCode;
  const signal = job.signal === null ? undefined : constants.signals[job.signal as NodeJS.Signals];
  return signal === undefined ? 1 : SIGNALLED + signal;
}
