// Detects duplicate IDs in a file with eight bytes per ID.

export class SeenIds {
  private hashes = new Float64Array(1024);
  private count = 0;

  add(id: string): void {
    if (this.count === this.hashes.length) {
      const larger = new Float64Array(this.count * 2);
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.count++] = hashOf(id);
  }

  /** Returns hashes that occur twice: of duplicate IDs, or very rarely by collision. */
  twice(): ReadonlySet<number> {
    const sorted = this.hashes.slice(0, this.count).sort();
    return new Set(sorted.filter((hash, i) => hash === sorted[i - 1]));
  }
}

/** 52 bits, which a number can represent exactly. */
export function hashOf(id: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < id.length; i++) {
    low = Math.imul(low ^ id.charCodeAt(i), 0x01000193);
    high = Math.imul(high ^ id.charCodeAt(i), 0x85ebca6b) ^ (high >>> 13);
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0);
}
