// Maintenance tasks that any worker may run for the queue. runOnce() returns the amount of work done.

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Jobs wait for it, so it does not wait for the end of others that may take minutes. */
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

  /** A chore that fails is tried again at its next time, and keeps no other from its own. */
  runDue(failed: (error: Error) => void): void {
    for (const lane of this.lanes) lane.runDue(failed);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.current));
  }

  /** Begins no further chore, and resolves when none is under way. */
  end(): Promise<void> {
    for (const lane of this.lanes) lane.isEnded = true;
    return this.settled();
  }
}

/** Chores that are done one after the other. */
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
