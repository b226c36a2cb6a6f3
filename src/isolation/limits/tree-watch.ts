// Enforces limits on the processes of a job by polling, if the kernel cannot. A job that exceeds a limit is stopped with all
// its processes. Between two checks it can exceed the limit; see docs/guides/resource-limits.md.

import type { ResourceLimits } from '../../job/isolation/resource-limits.ts';
import { joinedUsage, type Usage } from '../../job/usage.ts';
import { processEntry } from '../../process/tree/proc.ts';
import { freshTable } from '../../process/tree/process-table.ts';
import { endTree, type Leader, membersIn } from '../../process/tree/tree.ts';
import { memoryFileBytes } from '../../process/tree/memory-files.ts';
import { type FairShare, fairShareOf, type TreeUsage, usageOfTree } from '../../process/tree/tree-usage.ts';
import { outOfMemory, overCpuTime, tooManyProcesses } from './limit-reasons.ts';

export type Watched = Pick<ResourceLimits, 'memoryBytes' | 'cpuSeconds' | 'processes'>;

export const isAnythingWatched = (limits: Watched): boolean =>
  limits.memoryBytes !== undefined || limits.cpuSeconds !== undefined || limits.processes !== undefined;

const BETWEEN_LOOKS_MS = 100;
const AT_MOST_MS = 1000;
/** Checks take at most a tenth of the time, however many processes there are. */
const REST = 10;

export class TreeWatch {
  /** Describes the first exceeded limit, given the final peak memory; null if there was none. */
  reason: ((peakBytes: number | null) => string) | null = null;
  usage: Usage | null = null;
  private readonly limits: Watched;
  private readonly lease: string;
  private leader: Leader | null = null;
  private timer: NodeJS.Timeout | undefined;
  private ending: Promise<void> | null = null;
  private hasEnded = false;

  constructor(limits: Watched, lease: string) {
    this.limits = limits;
    this.lease = lease;
  }

  begin(pid: number): void {
    this.leader = { pid, startedAt: processEntry(pid)?.startedAt ?? null };
    this.lookIn(BETWEEN_LOOKS_MS);
  }

  /** Called when the first process has exited. Resolves when no process of the job is left. */
  async end(): Promise<void> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    await (this.ending ?? this.endAll());
  }

  private lookIn(ms: number): void {
    this.timer = setTimeout(() => void this.look(), ms).unref();
  }

  private async look(): Promise<void> {
    const startedMs = performance.now();
    const table = await freshTable().catch(() => null); // out of file descriptors: the next check may succeed
    if (this.hasEnded) return;
    if (table !== null) {
      const members = membersIn(table, this.tree);
      const seen = usageOfTree(members);
      this.usage = joinedUsage(this.usage, seen);
      this.reason = this.brokenBy(seen, members);
    }
    if (this.reason !== null) this.ending = this.endAll();
    else {
      const tookMs = performance.now() - startedMs;
      this.lookIn(Math.min(AT_MOST_MS, Math.max(BETWEEN_LOOKS_MS, tookMs * REST)));
    }
  }

  private get tree() {
    return { leader: this.leader, lease: this.lease };
  }

  private endAll(): Promise<void> {
    return endTree(this.tree, 0);
  }

  private brokenBy(seen: TreeUsage, members: readonly { readonly pid: number }[]): TreeWatch['reason'] {
    const { memoryBytes, cpuSeconds, processes } = this.limits;
    if (processes !== undefined && seen.processes > processes) return () => tooManyProcesses(processes);
    if (cpuSeconds !== undefined && seen.cpuUserMs + seen.cpuSystemMs > cpuSeconds * 1000)
      return () => overCpuTime(cpuSeconds);
    if (memoryBytes === undefined) return null;
    const inFiles = memoryFileBytes(members.map(({ pid }) => pid));
    if (seen.memoryBytes + inFiles <= memoryBytes) return null;
    const { held, mapped } = fairly(members) ?? { held: seen.memoryBytes, mapped: 0 };
    const all = held + Math.max(0, inFiles - mapped); // a mapped file is already counted for its processes
    return all > memoryBytes ? (peak) => outOfMemory(memoryBytes, Math.max(peak ?? 0, all)) : null;
  }
}

/** Memory with each page counted once; null if a process is not readable. */
function fairly(members: readonly { readonly pid: number }[]): FairShare | null {
  const sum = { held: 0, mapped: 0 };
  for (const { pid } of members) {
    const share = fairShareOf(pid);
    if (share === null) return null;
    sum.held += share.held;
    sum.mapped += share.mapped;
  }
  return sum;
}
