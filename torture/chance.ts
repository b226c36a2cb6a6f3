// Reproducible randomness: the same seed gives the same sequence of decisions.

export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a value in [0, 1). Mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  integer(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.next() * items.length)];
  }

  shuffled<T>(items: Iterable<T>): T[] {
    const all = [...items];
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
    return all;
  }
}
