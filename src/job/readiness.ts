// Whether a job that a worker could take may run now, and if not, who looks after it. The column `ready` of a store.

import { isDue } from './due.ts';

export const READINESS = {
  waitsForTime: 0, // the turn that promotes what is due makes it ready
  ready: 1, // a claim takes it
  held: 2, // a person releases it
  atGate: 3, // made ready when a place of the gate becomes free
} as const;

export type Readiness = (typeof READINESS)[keyof typeof READINESS];

interface Waiting {
  readonly nextRunAt: number | null;
  /** Why a person holds it back, or null. */
  readonly held: string | null;
}

/** Of a job in a claimable state. Gates are looked at when it is about to be claimed. */
export function readinessOf({ nextRunAt, held }: Waiting, now: number): Readiness {
  if (held !== null) return READINESS.held;
  return isDue(nextRunAt, now) ? READINESS.ready : READINESS.waitsForTime;
}
