// Decides whether a worker's finished jobs give other workers something to do, so that they should be woken.

import type { JobState } from './job.ts';
import { isClaimable } from './state-sets.ts';

/**
 * A requeued job can be claimed by others, and under a concurrency limit every ending frees a slot. A state is null if
 * the lease was lost and nothing was written.
 */
export const givesOthersWork = (settled: readonly { readonly state: JobState | null }[], makesRoom: boolean): boolean =>
  makesRoom || settled.some(({ state }) => state !== null && isClaimable(state));
