// Resets schedules that wait for a time from a clock that was ahead and has been corrected. Each run checks a bounded
// number and continues there next time. Runs that the wrong clock skipped happen after all; those that created a job
// create no second one.

import type { Schedule } from '../schedule/schedule.ts';
import { firstDueAt } from '../schedule/spec.ts';
import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const AT_ONCE = 200;
/** Smaller corrections of a clock are normal. */
const TOLERATED_MS = 60_000;

export class RepairSchedules implements Chore {
  readonly name = 'repair schedules';
  readonly everyMs = 10_000;
  private readonly store: Store;
  private after = '';

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    const schedules = await this.store.schedules.page(this.after, AT_ONCE);
    this.after = schedules.length < AT_ONCE ? '' : (schedules.at(-1)?.name ?? '');
    let repaired = 0;
    // An unreadable schedule is reported when its run is due.
    for (const schedule of schedules) if (await this.repair(schedule).catch(() => false)) repaired++;
    return repaired;
  }

  /** A schedule after its last run stays unchanged; for a paused one, the resume decides. */
  private async repair(seen: Schedule): Promise<boolean> {
    if (seen.nextAt === null || seen.pausedAt !== null) return false;
    const now = this.store.now();
    const nextAt = await firstDueAt(seen.name, seen.spec, now);
    if (nextAt === null || seen.nextAt - nextAt <= TOLERATED_MS) return false;
    return this.store.schedules.change(seen, { ...seen, nextAt, skipped: [], undecidedAfter: now });
  }
}
