// What is wrong with a worker and may pass: running jobs go on, what ended is kept, and nothing new is taken for a
// moment. While the machine is short of what a start needs, jobs are tried one at a time.

const PAUSE_MS = 1000;

export class Trouble {
  private readonly log: (line: string) => void;
  private current: string | null = null;
  private until = 0;
  private isShort = false;

  constructor(log: (line: string) => void) {
    this.log = log;
  }

  /** What to tell those who ask how this worker is; null: it is well. */
  get notice(): string | null {
    return this.current;
  }

  /** For how long nothing is done; 0 or less: it is over. */
  get pauseMs(): number {
    return this.until - performance.now();
  }

  begin(problem: string): void {
    if (this.current !== problem) this.log(`degraded: ${problem}`);
    this.current = problem;
    this.until = performance.now() + PAUSE_MS;
  }

  /** The machine is short of something that a start needs. */
  beginShortage(problem: string): void {
    this.isShort = true;
    this.begin(problem);
  }

  /** The store has answered. */
  pass(): void {
    if (this.pauseMs <= 0) this.current = null;
  }

  /** Jobs were handed over: unless one of them says otherwise, there is enough of everything again. */
  endShortage(): void {
    this.isShort = false;
  }

  /** How many of the free slots may be filled now. */
  limit(free: number): number {
    if (this.pauseMs > 0) return 0;
    return this.isShort ? Math.min(free, 1) : free;
  }
}
