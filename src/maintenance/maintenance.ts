// Chores that any worker may do for all: the same skeleton for each, runOnce() answers how much it did.

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  runOnce(): Promise<number>;
}

/** Runs each chore when its time has come, the first time at once, beside whatever the worker does. */
export class Maintenance {
  private readonly chores: readonly Chore[];
  private readonly lastRun = new Map<string, number>();
  private current: Promise<void> = Promise.resolve();
  private busy = false;
  private ended = false;

  constructor(chores: readonly Chore[]) {
    this.chores = chores;
  }

  /** A chore that fails is tried again at its next time, and keeps no other from its own. */
  runDue(failed: (error: Error) => void): void {
    const due = this.chores.filter((chore) => this.isDue(chore));
    if (this.busy || this.ended || due.length === 0) return;
    this.busy = true;
    this.current = this.runAll(due, failed).finally(() => {
      this.busy = false;
    });
  }

  /** Resolves when nothing is under way. */
  settled(): Promise<void> {
    return this.current;
  }

  /** Begins no further chore, and resolves when none is under way. */
  end(): Promise<void> {
    this.ended = true;
    return this.current;
  }

  private async runAll(chores: readonly Chore[], failed: (error: Error) => void): Promise<void> {
    for (const chore of chores) {
      if (this.ended) return;
      this.lastRun.set(chore.name, performance.now());
      try {
        await chore.runOnce();
      } catch (error) {
        failed(error as Error);
      }
    }
  }

  private isDue(chore: Chore): boolean {
    const last = this.lastRun.get(chore.name);
    return last === undefined || performance.now() - last >= chore.everyMs;
  }
}
