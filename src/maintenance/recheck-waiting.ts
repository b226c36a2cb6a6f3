// Rechecks jobs that were set aside: if a concurrent transaction hid a job from a turn, the job waits a second, not
// forever. Each run checks a bounded number of keys and groups and continues there next time.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

export class RecheckWaiting implements Chore {
  readonly name = 'recheck waiting jobs';
  readonly isUrgent = true;
  readonly everyMs = 1000;
  private readonly store: Store;
  private after = '';

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    const { found, next } = await this.store.waits.recheck(this.after);
    this.after = next ?? '';
    return found;
  }
}

/** Jobs that were too large when a worker last looked may fit after a change of settings. A bounded number in each run. */
export class RecheckSizes implements Chore {
  readonly name = 'recheck large jobs';
  readonly everyMs = 60_000;
  private readonly store: Store;
  private after = 0;

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    const { found, next } = await this.store.waits.recheckSizes(this.after);
    this.after = next;
    return found;
  }
}
