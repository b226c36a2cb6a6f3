// What a worker sleeps on: it ends at the first ring, or after the given time. A ring while awake is not lost, and then
// nobody asks for the time.

export class Alarm {
  private rung = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Waits; other rings of the same moment are heard as one. */
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
