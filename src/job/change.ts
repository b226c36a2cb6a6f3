// Changes that a user can make to existing jobs, as data: allowed states, and whether each can be undone.

import type { JobState } from './job.ts';
import { CANCELLABLE_STATES, REMOVABLE_STATES, RETRYABLE_STATES } from './state-sets.ts';
import { STATES_FOR, type WaitingChange } from './waiting-change.ts';

export type Change =
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'delete' }
  | WaitingChange;

export type ChangeKind = Change['kind'];

/** States in which a job accepts each change. */
export const CHANGEABLE: Readonly<Record<ChangeKind, readonly JobState[]>> = {
  retry: RETRYABLE_STATES,
  cancel: CANCELLABLE_STATES,
  delete: REMOVABLE_STATES,
  ...STATES_FOR,
};
