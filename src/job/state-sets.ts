// Sets of states by what they allow. All follow from the transition table, so that no other file lists states.

import { FINAL_STATES, type JobState, STATES } from './job.ts';
import { TRANSITIONS } from './lifecycle.ts';

/** States in which a job waits for a worker, now or at its start time. */
export const CLAIMABLE_STATES: readonly JobState[] = TRANSITIONS.claim.from;

/** States from which a user may retry a job; its attempts restart at 0. */
export const RETRYABLE_STATES: readonly JobState[] = TRANSITIONS.retry.from;

/** States in which a job can be blocked again by a rerun of its dependencies. */
export const BLOCKABLE_STATES: readonly JobState[] = [...TRANSITIONS.block.from, TRANSITIONS.block.to];

/** States in which a user may cancel a job: at once while it waits, through its worker while it runs. */
export const CANCELLABLE_STATES: readonly JobState[] = [...TRANSITIONS.cancel.from, ...TRANSITIONS.stop.from];

/** A running job must finish before it can be deleted. */
export const REMOVABLE_STATES: readonly JobState[] = STATES.filter((state) => !isRunning(state));

/** States from which a worker will finish the job without outside action. */
export const UNFINISHED_STATES: readonly JobState[] = STATES.filter((state) => isClaimable(state) || isRunning(state));

export function isClaimable(state: JobState): boolean {
  return CLAIMABLE_STATES.includes(state);
}

export function isRunning(state: JobState): boolean {
  return state === TRANSITIONS.claim.to;
}

/** Filters the final states, in the order of STATES. */
export const finalAmong = (states: readonly JobState[]): readonly JobState[] =>
  FINAL_STATES.filter((state) => states.includes(state));

export const countClaimable = (counts: Readonly<Record<JobState, number>>): number =>
  CLAIMABLE_STATES.reduce((sum, state) => sum + counts[state], 0);
