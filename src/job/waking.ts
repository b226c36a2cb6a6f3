// Whether what became of a worker's jobs gives other workers something to do, so that they should be woken.

import type { JobState } from './job.ts';
import { isClaimable } from './state-sets.ts';

/**
 * A job that was put back can be claimed by others; where a limit counts running jobs, every end makes room. A state is null
 * where the lease was lost and nothing was written.
 */
export const givesOthersWork = (
  settled: readonly { readonly state: JobState | null }[],
  makesRoom: boolean,
): boolean => makesRoom || settled.some(({ state }) => state !== null && isClaimable(state));
