// Changes to a waiting job: hold, release, run now, edit. Decides the job's start time, its hold, and whether a worker
// may claim it.

import { QueueError } from '../errors/errors.ts';
import { firstRunAt } from './due.ts';
import type { Edit } from './input/edit.ts';
import type { JobState } from './job.ts';
import { TRANSITIONS } from './lifecycle.ts';
import { LONGEST_SNOOZE_SECONDS } from './outcome-rules.ts';
import { READINESS, type Readiness, readinessOf } from './readiness.ts';
import { CLAIMABLE_STATES, isClaimable } from './state-sets.ts';

export type WaitingChange =
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'release' }
  | { readonly kind: 'run-now' }
  | { readonly kind: 'edit'; readonly edit: Edit };

/** Default reason for a hold. */
export const BY_HAND = 'by hand';

/** States before a start or between attempts; cancelling needs no process to be stopped. */
export const WAITING_STATES: readonly JobState[] = TRANSITIONS.cancel.from;

/** A blocked job cannot be run now because its dependencies are unfinished. */
export const STATES_FOR: Readonly<Record<WaitingChange['kind'], readonly JobState[]>> = {
  hold: WAITING_STATES,
  release: WAITING_STATES,
  'run-now': CLAIMABLE_STATES,
  edit: WAITING_STATES,
};

/** Job fields that the decision depends on. */
export interface Waiting {
  readonly state: JobState;
  readonly runAt: number | null;
  readonly nextRunAt: number | null;
  readonly held: string | null;
  readonly snoozes: number;
}

/**
 * Values that the store writes in addition to the edited fields. The job leaves its gate; a claim puts it back if
 * needed.
 */
export interface Placed extends Omit<Waiting, 'state' | 'snoozes'> {
  readonly ready: Readiness;
}

export function placeAfter(job: Waiting, change: WaitingChange, now: number): Placed {
  const { runAt, nextRunAt, held } = { ...job, ...difference(job, change, now) };
  const ready = isClaimable(job.state) ? readinessOf({ nextRunAt, held }, now) : READINESS.waitsForTime;
  return { runAt, nextRunAt, held, ready };
}

function difference(job: Waiting, change: WaitingChange, now: number): Partial<Waiting> {
  switch (change.kind) {
    case 'hold':
      return { held: change.reason };
    case 'release':
      return { held: null, nextRunAt: releasedAt(job, now) };
    case 'run-now':
      return { held: null, runAt: null, nextRunAt: now };
    case 'edit':
      return change.edit.runAt === undefined ? {} : newTime(job.state, change.edit.runAt, now);
  }
}

/** A pending job waits for its own start time or its snooze. A later time comes from a clock that was ahead. */
function releasedAt({ state, runAt, nextRunAt, snoozes }: Waiting, now: number): number | null {
  if (state !== TRANSITIONS.unblock.to || nextRunAt === null) return nextRunAt;
  const latest = snoozes > 0 ? now + LONGEST_SNOOZE_SECONDS * 1000 : now;
  return Math.min(nextRunAt, Math.max(latest, firstRunAt(runAt, now)));
}

/** A blocked job gets its start time when its dependencies finish. */
const newTime = (state: JobState, runAt: number | null, now: number): Partial<Waiting> => ({
  runAt,
  nextRunAt: isClaimable(state) ? firstRunAt(runAt, now) : null,
});

/** Rejects releasing a job that is not held. */
export function checkHeld({ id, held }: Pick<Waiting, 'held'> & { readonly id: string }, change: WaitingChange): void {
  if (change.kind === 'release' && held === null) throw new QueueError('not_held', { id });
}
