// Random bytes from a pool: asking the system once for many is what makes a hundred thousand ids cheap.

import { randomFillSync } from 'node:crypto';

const pool = Buffer.allocUnsafe(8192);
let used = pool.length;

export function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
