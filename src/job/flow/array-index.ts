// Which job of an array a job is: what tells jobs apart whose commands are the same. It is kept in the job's own environment,
// and unlike other values there it is no secret.

import type { Job } from '../job.ts';

/** In the environment of each job of an array. */
export const ARRAY_INDEX = 'QUEUECTL_ARRAY_INDEX';

/** null: it belongs to no array. */
export function arrayIndexOf({ env }: Pick<Job, 'env'>): number | null {
  const index = env[ARRAY_INDEX];
  return index !== undefined && /^\d{1,12}$/.test(index) ? Number(index) : null;
}
