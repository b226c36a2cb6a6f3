// The worker's sleep: it ends at the first ring or after a timeout. A ring while awake is remembered and skips the next
// sleep.

export class Alarm {
  private rung = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Waits; simultaneous rings count as one. */
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
