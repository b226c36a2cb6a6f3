// Which states allow what. Every set follows from the table of transitions, so that no other file lists states of its own.

import { FINAL_STATES, type JobState, STATES } from './job.ts';
import { TRANSITIONS } from './lifecycle.ts';

/** The states in which a job waits for a worker, now or when its time has come. */
export const CLAIMABLE_STATES: readonly JobState[] = TRANSITIONS.claim.from;

/** The states in which a person may have it run again, attempts from 0. */
export const RETRYABLE_STATES: readonly JobState[] = TRANSITIONS.retry.from;

/** The states in which a job may have to wait again for jobs that run again; it may still be waiting for others. */
export const BLOCKABLE_STATES: readonly JobState[] = [...TRANSITIONS.block.from, TRANSITIONS.block.to];

/** The states in which a person may cancel it: a waiting job at once, a running one by way of its worker. */
export const CANCELLABLE_STATES: readonly JobState[] = [...TRANSITIONS.cancel.from, ...TRANSITIONS.stop.from];

/** A job that a worker holds must end before it can be removed. */
export const REMOVABLE_STATES: readonly JobState[] = STATES.filter((state) => !isRunning(state));

/** The states in which a job is a worker's to finish, sooner or later, without anything else having to happen first. */
export const UNFINISHED_STATES: readonly JobState[] = STATES.filter(
  (state) => isClaimable(state) || isRunning(state),
);

export function isClaimable(state: JobState): boolean {
  return CLAIMABLE_STATES.includes(state);
}

export function isRunning(state: JobState): boolean {
  return state === TRANSITIONS.claim.to;
}

/** The final ones among these, in the order of the list of states. */
export const finalAmong = (states: readonly JobState[]): readonly JobState[] =>
  FINAL_STATES.filter((state) => states.includes(state));

/** How many of the counted jobs wait for a worker. */
export const countClaimable = (counts: Readonly<Record<JobState, number>>): number =>
  CLAIMABLE_STATES.reduce((sum, state) => sum + counts[state], 0);
