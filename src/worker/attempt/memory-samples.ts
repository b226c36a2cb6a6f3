// Samples the memory of running jobs: often at first, then rarely, with one process listing for all due jobs. The
// kernel reports peaks between samples if they exceed the worker's own memory (process/spawn/resource-usage.ts).

import { onLinux } from '../../process/tree/proc.ts';
import { freshTable } from '../../process/tree/process-table.ts';
import { membersIn } from '../../process/tree/tree.ts';
import { usageOfTree } from '../../process/tree/tree-usage.ts';
import type { RunningAttempt } from './attempt.ts';

/** Shorter jobs are never sampled. */
export const FIRST_SAMPLE_MS = 900;
const GROWTH = 1.5;
const LONGEST_MS = 10_000;

export class MemorySamples {
  private isLooking = false;

  /** Called once a second. */
  beat(attempts: Iterable<RunningAttempt>): void {
    if (this.isLooking || !onLinux) return;
    const due = [...attempts].filter((attempt) => attempt.ageMs >= attempt.nextSampleMs);
    if (due.length === 0) return;
    this.isLooking = true;
    void this.look(due).finally(() => {
      this.isLooking = false;
    });
  }

  private async look(due: readonly RunningAttempt[]): Promise<void> {
    const table = await freshTable().catch(() => null); // out of file descriptors: the next sample may succeed
    for (const attempt of due) {
      attempt.nextSampleMs = attempt.ageMs + Math.min(LONGEST_MS, attempt.ageMs * (GROWTH - 1));
      if (table === null) continue;
      const { peakMemoryBytes } = usageOfTree(membersIn(table, attempt.tree));
      attempt.peakBytes = Math.max(attempt.peakBytes, peakMemoryBytes);
    }
  }
}
