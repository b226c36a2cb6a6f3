// Chores: maintenance tasks that any worker may run for the queue. runOnce() returns the amount of work done.

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** True if jobs wait for this chore, so that it must not wait for other chores, which may take minutes. */
  readonly isUrgent?: boolean;
  runOnce(): Promise<number>;
}

/** Runs each chore when it is due, the first time immediately, alongside the worker's turns. */
export class Maintenance {
  private readonly lanes: readonly Lane[];

  constructor(chores: readonly Chore[]) {
    const isUrgent = ({ isUrgent = false }: Chore): boolean => isUrgent;
    this.lanes = [new Lane(chores.filter(isUrgent)), new Lane(chores.filter((chore) => !isUrgent(chore)))];
  }

  /** A chore that fails runs again at its next time, and does not delay the others. */
  runDue(failed: (error: Error) => void): void {
    for (const lane of this.lanes) lane.runDue(failed);
  }

  /** Resolves when no chore is running. */
  async settled(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.current));
  }

  /** Starts no more chores. Resolves when none is running. */
  end(): Promise<void> {
    for (const lane of this.lanes) lane.isEnded = true;
    return this.settled();
  }
}

/** Chores that run one after another. */
class Lane {
  current: Promise<void> = Promise.resolve();
  isEnded = false;
  private readonly chores: readonly Chore[];
  private readonly lastRun = new Map<string, number>();
  private busy = false;

  constructor(chores: readonly Chore[]) {
    this.chores = chores;
  }

  runDue(failed: (error: Error) => void): void {
    const due = this.chores.filter((chore) => this.isDue(chore));
    if (this.busy || this.isEnded || due.length === 0) return;
    this.busy = true;
    this.current = this.runAll(due, failed).finally(() => {
      this.busy = false;
    });
  }

  private async runAll(chores: readonly Chore[], failed: (error: Error) => void): Promise<void> {
    for (const chore of chores) {
      if (this.isEnded) return;
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
