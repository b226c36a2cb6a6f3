// Pipes that children of ended jobs still hold. What they write belongs to no job any more: it is read to nowhere, a
// pipe full a second, so that they go on, at a pace that costs nothing. It ends with this process.

export interface Leftover {
  /** Returns whether somebody can still write. */
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
