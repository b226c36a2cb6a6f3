// Shortens the waits of failed jobs after a clock that was ahead has been corrected.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

export class RepairBackoffs implements Chore {
  readonly name = 'repair backoffs';
  readonly everyMs = 5000;
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  runOnce(): Promise<number> {
    return this.store.repairBackoffs();
  }
}
