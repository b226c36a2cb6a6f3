// Keeps the time series small: folds appended counts, and deletes old buckets.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const PRUNE_AT_ONCE = 1000;

export class SeriesUpkeep implements Chore {
  readonly name = 'series upkeep';
  readonly everyMs = 60_000;
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    return (await this.store.series.fold()) + (await this.store.series.prune(PRUNE_AT_ONCE));
  }
}
