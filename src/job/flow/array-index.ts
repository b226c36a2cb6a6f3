// A job's index in its array, which distinguishes jobs with the same command. The job's environment stores it; unlike
// other values there, it is not secret.

import type { Job } from '../job.ts';

/** Set in the environment of every job of an array. */
export const ARRAY_INDEX = 'QUEUECTL_ARRAY_INDEX';

/** Returns null if the job is not part of an array. */
export function arrayIndexOf({ env }: Pick<Job, 'env'>): number | null {
  const index = env[ARRAY_INDEX];
  return index !== undefined && /^\d{1,12}$/.test(index) ? Number(index) : null;
}
