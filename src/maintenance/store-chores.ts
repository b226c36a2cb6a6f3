// Chores that only call the store. Those that check a bounded number of records in each run continue there in the next
// one, and start over after the last record.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const KEEP_ACTIVITY = 10_000;
const KEEP_ANSWERS_MS = 24 * 3600 * 1000;
const SWEEP_AT_ONCE = 500;
const PRUNE_AT_ONCE = 1000;

/** Shortens the waits of failed jobs after a clock that was ahead has been corrected. */
export const repairBackoffs = (store: Store): Chore => ({
  name: 'repair backoffs',
  everyMs: 5000,
  runOnce: () => store.repairBackoffs(),
});

/** Deletes data that the server no longer needs: expired sessions, old idempotent responses, and old audit entries. */
export const forgetAccess = (store: Store): Chore => ({
  name: 'forget sessions, answers and activity',
  everyMs: 60_000,
  runOnce: async () => {
    const { accounts, activity, idempotency } = store;
    const now = store.now();
    const sessions = await accounts.forgetSessions(now);
    const answers = await idempotency.forget(now - KEEP_ANSWERS_MS);
    return sessions + answers + (await activity.forget(KEEP_ACTIVITY));
  },
});

/** Keeps the time series small: folds appended counts, and deletes old buckets. */
export const seriesUpkeep = (store: Store): Chore => ({
  name: 'series upkeep',
  everyMs: 60_000,
  runOnce: async () => (await store.series.fold()) + (await store.series.prune(PRUNE_AT_ONCE)),
});

/** Deletes environments that no job refers to. */
export const sweepEnvironments = (store: Store): Chore => ({
  name: 'sweep environments',
  everyMs: 10_000,
  runOnce: inSteps(0, async (after) => {
    const { removed, next } = await store.environments.sweep(after, SWEEP_AT_ONCE);
    return { done: removed, next };
  }),
});

/** Deletes groups without jobs. */
export const sweepGroups = (store: Store): Chore => ({
  name: 'sweep groups',
  everyMs: 10_000,
  runOnce: inSteps('', async (after) => {
    const { removed, next } = await store.groups.sweep(after, SWEEP_AT_ONCE);
    return { done: removed, next: next ?? '' };
  }),
});

/**
 * Rechecks keys and groups with jobs that were set aside: if a concurrent transaction hid a job from a turn, the job
 * waits a second, not forever.
 */
export const recheckWaiting = (store: Store): Chore => ({
  name: 'recheck waiting jobs',
  isUrgent: true,
  everyMs: 1000,
  runOnce: inSteps('', async (after) => {
    const { found, next } = await store.waits.recheck(after);
    return { done: found, next: next ?? '' };
  }),
});

/** Rechecks jobs that were too large for every worker, because they may fit after a change of settings. */
export const recheckSizes = (store: Store): Chore => ({
  name: 'recheck large jobs',
  everyMs: 60_000,
  runOnce: inSteps(0, async (after) => {
    const { found, next } = await store.waits.recheckSizes(after);
    return { done: found, next };
  }),
});

interface StepResult<T> {
  readonly done: number;
  /** Where the next step starts. */
  readonly next: T;
}

function inSteps<T>(first: T, step: (after: T) => Promise<StepResult<T>>): Chore['runOnce'] {
  let after = first;
  return async () => {
    const { done, next } = await step(after);
    after = next;
    return done;
  };
}
