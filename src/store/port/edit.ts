// Waiting jobs changed by a person: held, released, run now, edited. All of the given ids or none.

import type { Job } from '../../job/job.ts';
import type { WaitingChange } from '../../job/waiting-change.ts';

export interface WaitingChanges {
  /** A job in another state is the error wrong_state; to release one that is not held, not_held. */
  change(ids: readonly string[], change: WaitingChange): Promise<Job[]>;
}
