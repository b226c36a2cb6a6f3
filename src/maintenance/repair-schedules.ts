// Resets schedules that wait for a time from a clock that was ahead and has been corrected. Each run of the chore checks a
// bounded number of schedules, and the next one continues there. Scheduled runs that the wrong clock skipped happen after
// all; those that created a job create no second one.

import type { Schedule } from '../schedule/schedule.ts';
import { firstDueAt } from '../schedule/spec.ts';
import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const AT_ONCE = 200;
/** Smaller corrections of a clock are normal. */
const TOLERATED_MS = 60_000;

export function repairSchedules(store: Store): Chore {
  let after = '';
  const runOnce = async (): Promise<number> => {
    const schedules = await store.schedules.page(after, AT_ONCE);
    after = schedules.length < AT_ONCE ? '' : (schedules.at(-1)?.name ?? '');
    let repaired = 0;
    // An unreadable schedule is reported when its run is due.
    for (const schedule of schedules) if (await repair(store, schedule).catch(() => false)) repaired++;
    return repaired;
  };
  return { name: 'repair schedules', everyMs: 10_000, runOnce };
}

/** A schedule after its last run stays unchanged. For a paused one, resuming it computes the next time. */
async function repair(store: Store, seen: Schedule): Promise<boolean> {
  if (seen.nextAt === null || seen.pausedAt !== null) return false;
  const now = store.now();
  const nextAt = await firstDueAt(seen.name, seen.spec, now);
  if (nextAt === null || seen.nextAt - nextAt <= TOLERATED_MS) return false;
  return store.schedules.change(seen, { ...seen, nextAt, skipped: [], undecidedAfter: now });
}
