// Everything a person can do to jobs that are there, as data: in which states, and whether it can be undone.

import type { JobState } from './job.ts';
import { CANCELLABLE_STATES, REMOVABLE_STATES, RETRYABLE_STATES } from './state-sets.ts';
import { STATES_FOR, type WaitingChange } from './waiting-change.ts';

export type Change =
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'delete' }
  | WaitingChange;

export type ChangeKind = Change['kind'];

/** The states in which a job can be changed so. */
export const CHANGEABLE: Readonly<Record<ChangeKind, readonly JobState[]>> = {
  retry: RETRYABLE_STATES,
  cancel: CANCELLABLE_STATES,
  delete: REMOVABLE_STATES,
  ...STATES_FOR,
};
