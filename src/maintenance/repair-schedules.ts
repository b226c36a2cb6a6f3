// A clock that was ahead and is set right again must not leave schedules waiting for the time it showed. Each run looks at a
// bounded number of them and goes on there the next time. Ticks that the wrong clock passed over come after all; those that
// made a job make no second one.

import type { Schedule } from '../schedule/schedule.ts';
import { firstDueAt } from '../schedule/spec.ts';
import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const AT_ONCE = 200;
/** Clocks are put right by less than this all the time. */
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
    // One that cannot be read is reported when its tick is due.
    for (const schedule of schedules) if (await this.repair(schedule).catch(() => false)) repaired++;
    return repaired;
  }

  /** One that has had its last tick stays so; for one that is paused, its end decides. */
  private async repair(seen: Schedule): Promise<boolean> {
    if (seen.nextAt === null || seen.pausedAt !== null) return false;
    const now = this.store.now();
    const nextAt = await firstDueAt(seen.name, seen.spec, now);
    if (nextAt === null || seen.nextAt - nextAt <= TOLERATED_MS) return false;
    return this.store.schedules.change(seen, { ...seen, nextAt, skipped: [], undecidedAfter: now });
  }
}
