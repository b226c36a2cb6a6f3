// Changes a whole group in batches, so that no other process is blocked for long.

import type { JobControl } from './job-control.ts';
import { type Rejection, Rejections } from '../job/isolation/rejections.ts';
import type { JobState } from '../job/job.ts';
import { CANCELLABLE_STATES, isRunning, REMOVABLE_STATES } from '../job/state-sets.ts';

export type GroupChange = 'cancel' | 'retry' | 'delete';

/** Steps run in order: if running jobs were stopped first, their workers would claim the waiting ones. */
const STEPS: Readonly<Record<GroupChange, readonly (readonly JobState[])[]>> = {
  cancel: [
    CANCELLABLE_STATES.filter((state) => !isRunning(state)),
    CANCELLABLE_STATES.filter((state) => isRunning(state)),
  ],
  // Cancelled jobs stay cancelled: they may depend on jobs that are retried only now.
  retry: [['failed', 'dead']],
  delete: [REMOVABLE_STATES],
};

/** Called after each batch with the number of processed and total jobs. */
export type OnProgress = (done: number, total: number) => void;

export interface ChangedGroup {
  readonly jobs: number;
  /** Jobs that the policy rejected, by reason. */
  readonly rejections: readonly Rejection[];
}

export async function changeGroup(
  control: JobControl,
  group: string,
  kind: GroupChange,
  onProgress: OnProgress,
): Promise<ChangedGroup> {
  let jobs = 0;
  const rejections = new Rejections();
  for (const states of STEPS[kind]) {
    const filter = { group, states };
    const ids = await control.idsToChange(filter, { kind });
    const progress = { onProgress: (done: number) => onProgress(done, ids.length) };
    const changed = await control.changeMany(ids, filter, { kind }, progress);
    jobs += changed.jobs;
    for (const { reason, jobs: count } of changed.rejections) rejections.add(reason, count);
  }
  return { jobs, rejections: rejections.all };
}
