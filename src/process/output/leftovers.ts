// Pipes that children of finished jobs still hold. Their output is discarded, one full pipe per second, so that the
// children can continue at little cost to the worker.

export interface Leftover {
  /** Returns true if a process can still write. */
  drain(): boolean;
  close(): void;
}

const DRAIN_MS = 1000;

export class Leftovers {
  private readonly held = new Set<Leftover>();
  private timer: NodeJS.Timeout | undefined;

  add(leftover: Leftover): void {
    this.held.add(leftover);
    this.timer ??= setInterval(() => this.drain(), DRAIN_MS).unref();
  }

  private drain(): void {
    for (const leftover of this.held) {
      if (leftover.drain()) continue;
      leftover.close();
      this.held.delete(leftover);
    }
    if (this.held.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
