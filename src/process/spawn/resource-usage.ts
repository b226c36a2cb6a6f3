// Decodes `struct rusage` of 64-bit Linux for a reaped child. CPU times include its reaped descendants. The memory is
// that of the largest process and includes the time before exec, when the child was a copy of this process, so it is
// only meaningful if it exceeds this process's own peak.

import type { Usage } from '../../job/usage.ts';

const USAGE_BYTES = 144;
const [USER_AT, SYSTEM_AT, MEMORY_AT] = [0, 16, 32] as const;
/** The kernel counts pages in batches, so values lag slightly. */
const MARGIN = 1.05;

export class ResourceUsage {
  readonly buffer = Buffer.alloc(USAGE_BYTES);
  /** Known peak of this process; never decreases. */
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

  /** Seconds and microseconds; the lower half of the seconds suffices for a hundred years. */
  private ms(at: number): number {
    return this.buffer.readUInt32LE(at) * 1000 + Math.round(this.buffer.readUInt32LE(at + 8) / 1000);
  }
}
