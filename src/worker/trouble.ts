// Temporary problems of a worker: running jobs continue, reports are kept, and nothing new is claimed for a moment.
// While the machine is short of a resource, jobs are started one at a time.

const PAUSE_MS = 1000;

export class Trouble {
  private readonly log: (line: string) => void;
  private current: string | null = null;
  private until = 0;
  private isShort = false;

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  /** Notice shown in worker listings; null if there is no problem. */
  get notice(): string | null {
    return this.current;
  }

  /** Remaining pause; 0 or less if it is over. */
  get pauseMs(): number {
    return this.until - performance.now();
  }

  begin(problem: string): void {
    if (this.current !== problem) this.log(`degraded: ${problem}`);
    this.current = problem;
    this.until = performance.now() + PAUSE_MS;
  }

  /** Called if the machine is short of a resource that a start needs. */
  beginShortage(problem: string): void {
    this.isShort = true;
    this.begin(problem);
  }

  /** Called when the store has responded. */
  pass(): void {
    if (this.pauseMs <= 0) this.current = null;
  }

  /** Called after jobs were started: unless one of them reports a shortage, resources suffice again. */
  endShortage(): void {
    this.isShort = false;
  }

  /** Returns how many of the free slots may be filled now. */
  limit(free: number): number {
    if (this.pauseMs > 0) return 0;
    return this.isShort ? Math.min(free, 1) : free;
  }
}
