// A clock that was ahead and is set right again must not leave failed jobs waiting for hours.

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
