// What a person does to a job that waits: hold it, release it, have it run now, edit it. Where that leaves the job is
// decided here alone: when it may start, whether it is held, and whether a worker may take it.

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

/** Why a job is held where nobody says a reason. */
export const BY_HAND = 'by hand';

/** It has not started, or waits for its next attempt: whatever can be cancelled without ending a process. */
export const WAITING_STATES: readonly JobState[] = TRANSITIONS.cancel.from;

/** A blocked job cannot run now: what it waits for has not ended. */
export const STATES_FOR: Readonly<Record<WaitingChange['kind'], readonly JobState[]>> = {
  hold: WAITING_STATES,
  release: WAITING_STATES,
  'run-now': CLAIMABLE_STATES,
  edit: WAITING_STATES,
};

/** What the decision depends on. */
export interface Waiting {
  readonly state: JobState;
  readonly runAt: number | null;
  readonly nextRunAt: number | null;
  readonly held: string | null;
  /** How often it asked to be run again later. */
  readonly snoozes: number;
}

/** What the store writes, beside the edited fields. It is at no gate afterwards: a claim would put it back there. */
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

/**
 * A pending job waits for its own time, or for the one that it asked for by its exit code. A time that lies further ahead
 * comes from a clock that was ahead.
 */
function releasedAt({ state, runAt, nextRunAt, snoozes }: Waiting, now: number): number | null {
  if (state !== TRANSITIONS.unblock.to || nextRunAt === null) return nextRunAt;
  const latest = snoozes > 0 ? now + LONGEST_SNOOZE_SECONDS * 1000 : now;
  return Math.min(nextRunAt, Math.max(latest, firstRunAt(runAt, now)));
}

/** A blocked job gets its time when what it waits for has ended. */
const newTime = (state: JobState, runAt: number | null, now: number): Partial<Waiting> => ({
  runAt,
  nextRunAt: isClaimable(state) ? firstRunAt(runAt, now) : null,
});

/** Releasing a job that is not held is a mistake that should be reported. */
export function checkHeld(
  { id, held }: Pick<Waiting, 'held'> & { readonly id: string },
  change: WaitingChange,
): void {
  if (change.kind === 'release' && held === null) throw new QueueError('not_held', { id });
}
