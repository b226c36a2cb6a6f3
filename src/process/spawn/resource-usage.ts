// What the system says of a child when it is waited for: `struct rusage` of Linux on 64 bits. CPU times are of the child and
// of all it waited for. The memory is that of the largest of them, and counts what the child was before its program was
// loaded: a copy of this process. So it says nothing unless it is more than this process ever had.

import type { Usage } from '../../job/usage.ts';

const USAGE_BYTES = 144;
const [USER_AT, SYSTEM_AT, MEMORY_AT] = [0, 16, 32] as const;
/** The system counts pages in parts, and is a little behind. */
const MARGIN = 1.05;

export class ResourceUsage {
  readonly buffer = Buffer.alloc(USAGE_BYTES);
  /** The most that this process is known to have had, which only grows. */
  private ownKib = 0;

  read(): Usage {
    return {
      peakMemoryBytes: this.memoryBytes(),
      cpuUserMs: this.ms(USER_AT),
      cpuSystemMs: this.ms(SYSTEM_AT),
    };
  }

  private memoryBytes(): number | null {
    const kib = this.buffer.readUInt32LE(MEMORY_AT) + this.buffer.readUInt32LE(MEMORY_AT + 4) * 2 ** 32;
    if (kib > this.ownKib) this.ownKib = process.resourceUsage().maxRSS * MARGIN;
    return kib > this.ownKib ? kib * 1024 : null;
  }

  /** Seconds and microseconds; of the seconds the lower half will do for a hundred years. */
  private ms(at: number): number {
    return this.buffer.readUInt32LE(at) * 1000 + Math.round(this.buffer.readUInt32LE(at + 8) / 1000);
  }
}
