// A timer without an upper limit. Node's timers end at 24 days, so longer times are split.

const LONGEST_PART_MS = 2_147_483_647;

export class LongTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(ms: number, ring: () => void) {
    this.start(performance.now() + ms, ring);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(at: number, ring: () => void): void {
    const leftMs = Math.max(0, at - performance.now());
    const isLast = leftMs <= LONGEST_PART_MS;
    this.timer = setTimeout(
      () => (isLast ? ring() : this.start(at, ring)),
      Math.min(leftMs, LONGEST_PART_MS),
    );
  }
}
