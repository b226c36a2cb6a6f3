// Looks at how much memory running jobs hold: often while they are young, then seldom, one look for all that are due. What is
// missed between two looks is seen by the system if it is more than the worker itself needs (process/spawn/resource-usage.ts).

import { onLinux } from '../../process/tree/proc.ts';
import { freshTable } from '../../process/tree/process-table.ts';
import { membersIn, type Tree } from '../../process/tree/tree.ts';
import { usageOfTree } from '../../process/tree/tree-usage.ts';

export interface Sampled {
  readonly tree: Tree;
  readonly ageMs: number;
  peakBytes: number;
  /** By its age. */
  nextSampleMs: number;
}

/** A job that ends before is not looked at. */
export const FIRST_SAMPLE_MS = 900;
const GROWTH = 1.5;
const LONGEST_MS = 10_000;

export class MemorySamples {
  private isLooking = false;

  /** Once a second. */
  beat(attempts: Iterable<Sampled>): void {
    if (this.isLooking || !onLinux) return;
    const due = [...attempts].filter((attempt) => attempt.ageMs >= attempt.nextSampleMs);
    if (due.length === 0) return;
    this.isLooking = true;
    void this.look(due).finally(() => {
      this.isLooking = false;
    });
  }

  private async look(due: readonly Sampled[]): Promise<void> {
    const table = await freshTable().catch(() => null); // out of files: the next look may see
    for (const attempt of due) {
      attempt.nextSampleMs = attempt.ageMs + Math.min(LONGEST_MS, attempt.ageMs * (GROWTH - 1));
      if (table === null) continue;
      const { peakMemoryBytes } = usageOfTree(membersIn(table, attempt.tree));
      attempt.peakBytes = Math.max(attempt.peakBytes, peakMemoryBytes);
    }
  }
}
