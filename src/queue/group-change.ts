// What a person does to a whole group: a bounded number of its jobs at a time, so that nobody is locked out for long.

import type { JobControl } from './job-control.ts';
import { type Refusal, Refusals } from '../job/isolation/refusals.ts';
import type { JobState } from '../job/job.ts';
import { CANCELLABLE_STATES, isRunning, REMOVABLE_STATES } from '../job/state-sets.ts';
import type { Store } from '../store/store.ts';

export type GroupChange = 'cancel' | 'retry' | 'delete';

/** One after the other: were running jobs ended first, their workers would take those that still wait. */
const STEPS: Readonly<Record<GroupChange, readonly (readonly JobState[])[]>> = {
  cancel: [
    CANCELLABLE_STATES.filter((state) => !isRunning(state)),
    CANCELLABLE_STATES.filter((state) => isRunning(state)),
  ],
  // Those that were cancelled stay so: they may wait for jobs that are only now tried again.
  retry: [['failed', 'dead']],
  delete: [REMOVABLE_STATES],
};

/** Told after each batch, with how many of how many jobs were looked at. */
export type OnProgress = (done: number, total: number) => void;

export interface ChangedGroup {
  readonly jobs: number;
  /** What the policy does not allow. */
  readonly refusals: readonly Refusal[];
}

export async function changeGroup(
  control: JobControl,
  group: string,
  kind: GroupChange,
  onProgress: OnProgress,
): Promise<ChangedGroup> {
  let jobs = 0;
  const refusals = new Refusals();
  for (const states of STEPS[kind]) {
    const filter = { group, states };
    const ids = await control.idsToChange(filter, { kind });
    const progress = { onProgress: (done: number) => onProgress(done, ids.length) };
    const changed = await control.changeMany(ids, filter, { kind }, progress);
    jobs += changed.jobs;
    for (const { reason, jobs: count } of changed.refusals) refusals.add(reason, count);
  }
  return { jobs, refusals: refusals.all };
}

/** A group that has no jobs left is forgotten at once, not only when a worker comes by. */
export async function forgetGroup(store: Store, group: string): Promise<void> {
  await store.groups.sweep(justBefore(group), 1);
}

/** No name that is allowed sorts between this and the given one: '~' sorts after all that they are made of. */
function justBefore(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  return `${name.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}
