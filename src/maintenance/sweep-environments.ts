// Deletes environments that no job refers to. Each run checks a bounded number and continues there next time, starting
// over after the last one.

import type { Store } from '../store/store.ts';
import type { Chore } from './maintenance.ts';

const AT_ONCE = 500;

export class SweepEnvironments implements Chore {
  readonly name = 'sweep environments';
  readonly everyMs = 10_000;
  private readonly store: Store;
  private after = 0;

  constructor(store: Store) {
    this.store = store;
  }

  async runOnce(): Promise<number> {
    const { removed, next } = await this.store.environments.sweep(this.after, AT_ONCE);
    this.after = next;
    return removed;
  }
}
