// Readiness of a claimable job, the values of the column `ready`: whether it may run now, and if not, what makes it
// ready.

import { isDue } from './due.ts';

export const READINESS = {
  waitsForTime: 0, // a turn promotes due jobs to ready
  ready: 1, // a worker claims it
  held: 2, // a user releases it
  atGate: 3, // made ready when a slot at its gate becomes free
} as const;

export type Readiness = (typeof READINESS)[keyof typeof READINESS];

interface Waiting {
  readonly nextRunAt: number | null;
  /** Reason for a manual hold, or null. */
  readonly held: string | null;
}

/** For a job in a claimable state. Gates are checked when it is about to be claimed. */
export function readinessOf({ nextRunAt, held }: Waiting, now: number): Readiness {
  if (held !== null) return READINESS.held;
  return isDue(nextRunAt, now) ? READINESS.ready : READINESS.waitsForTime;
}
