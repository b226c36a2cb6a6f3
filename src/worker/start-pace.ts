// Limits how many jobs a worker starts at once: few until the starter has warmed up, then batches, so that heartbeats,
// signals and endings do not have to wait for all starts.

import type { Starter } from '../process/spawn/start.ts';

const AT_FIRST = 4;
const IN_ONE_PART = 64;

export class StartPace {
  private isFull: boolean;

  constructor({ ready }: Starter, quickened: () => void) {
    this.isFull = ready === undefined;
    void ready?.then(() => {
      this.isFull = true;
      quickened();
    });
  }

  limit(free: number): number {
    return this.isFull ? free : Math.min(free, AT_FIRST);
  }

  async each<T>(all: readonly T[], begin: (one: T) => void): Promise<void> {
    for (const [i, one] of all.entries()) {
      if (i % IN_ONE_PART === IN_ONE_PART - 1) await new Promise((resolve) => setImmediate(resolve));
      begin(one);
    }
  }
}
