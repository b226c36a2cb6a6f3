// Processes due schedule ticks alongside a worker's turns, one run at a time, and computes the time until the next.

/** Ticks that a run left due are retried after increasing pauses; small clock differences need only a short one. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 5000;

export class Ticker {
  private readonly tick: () => Promise<number>;
  private readonly done: () => void;
  private readonly log: (line: string) => void;
  private current: Promise<void> | null = null;
  private nextTickAt: number | null = null;
  /** Tick that was due when the last run began. */
  private triedTickAt: number | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private notBeforeMs = 0;

  /** `done` is called after each run, because there may be new jobs. */
  constructor(tick: () => Promise<number>, done: () => void, log: (line: string) => void) {
    this.tick = tick;
    this.done = done;
    this.log = log;
  }

  /** Takes the next due time from a turn, and starts a run if it has come. */
  update(nextTickAt: number | null, now: number): void {
    this.nextTickAt = nextTickAt;
    if (this.untilDueMs(now) > 0) return;
    const isTriedAgain = nextTickAt === this.triedTickAt;
    this.pauseMs = isTriedAgain ? Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    this.triedTickAt = nextTickAt;
    this.current = this.run();
  }

  /** Returns Infinity during a run, because `done` is called when it ends. */
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
