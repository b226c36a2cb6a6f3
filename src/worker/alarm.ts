// What a worker sleeps on: it wakes at the first ring, or after the given time. A ring while awake is not lost: then it
// does not sleep.

export class Alarm {
  private rung = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Waits; several rings at the same moment count as one. */
  async next(timeoutMs: () => number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs());
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = null;
    }
    await new Promise((resolve) => setImmediate(resolve));
    this.rung = false;
  }
}
