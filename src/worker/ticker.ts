// Decides due ticks of schedules beside the turns of a worker, one run at a time, and says how long until the next.

/** What a run left due is tried again, each time after a longer pause: clocks that differ a little need a short one. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 5000;

export class Ticker {
  private readonly tick: () => Promise<number>;
  private readonly done: () => void;
  private readonly log: (line: string) => void;
  private current: Promise<void> | null = null;
  private nextTickAt: number | null = null;
  /** What was due when the last run began. */
  private triedTickAt: number | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private notBeforeMs = 0;

  /** `done` is called after each run: there may be new jobs. */
  constructor(tick: () => Promise<number>, done: () => void, log: (line: string) => void) {
    this.tick = tick;
    this.done = done;
    this.log = log;
  }

  /** Takes from a turn when the next tick is due, and starts a run if that is now. */
  update(nextTickAt: number | null, now: number): void {
    this.nextTickAt = nextTickAt;
    if (this.untilDueMs(now) > 0) return;
    const isTriedAgain = nextTickAt === this.triedTickAt;
    this.pauseMs = isTriedAgain ? Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    this.triedTickAt = nextTickAt;
    this.current = this.run();
  }

  /** Infinity while a run is under way: `done` is called when it ends. */
  untilDueMs(now: number): number {
    if (this.current || this.nextTickAt === null) return Number.POSITIVE_INFINITY;
    const untilTickMs = this.nextTickAt - now;
    if (this.nextTickAt !== this.triedTickAt) return untilTickMs;
    return Math.max(untilTickMs, this.notBeforeMs - performance.now());
  }

  get isBusy(): boolean {
    return this.current !== null;
  }

  settled(): Promise<void> {
    return this.current ?? Promise.resolve();
  }

  private async run(): Promise<void> {
    await this.tick().catch((error: Error) => this.log(`schedules delayed: ${error.message}`));
    this.notBeforeMs = performance.now() + this.pauseMs;
    this.current = null;
    this.done();
  }
}
