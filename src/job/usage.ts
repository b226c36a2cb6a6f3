// Resource usage of an attempt, as reported by the system. Pure.

export interface Usage {
  /**
   * Peak memory of all processes together if a cgroup or sampling measured it, else of the largest process. Null if
   * unknown, as for a short job that needs less than its worker.
   */
  readonly peakMemoryBytes: number | null;
  /** User CPU time of the job and of all descendants that were waited for. */
  readonly cpuUserMs: number | null;
  /** Kernel CPU time of the same processes. */
  readonly cpuSystemMs: number | null;
}

/** Returns null if nothing is known. */
export const usageFrom = (
  peakMemoryBytes: number | null,
  cpuUserMs: number | null,
  cpuSystemMs: number | null,
): Usage | null =>
  peakMemoryBytes === null && cpuUserMs === null && cpuSystemMs === null
    ? null
    : { peakMemoryBytes, cpuUserMs, cpuSystemMs };

/** Combines measurements from different sources. None overestimates, so the largest value of each kind is used. */
export function joinedUsage(a: Usage | null | undefined, b: Usage | null | undefined): Usage | null {
  if (!a || !b) return a ?? b ?? null;
  return {
    peakMemoryBytes: most(a.peakMemoryBytes, b.peakMemoryBytes),
    cpuUserMs: most(a.cpuUserMs, b.cpuUserMs),
    cpuSystemMs: most(a.cpuSystemMs, b.cpuSystemMs),
  };
}

const most = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b > a) ? b : a);

export const cpuMsOf = (usage: Usage | null): number | null =>
  usage === null || (usage.cpuUserMs === null && usage.cpuSystemMs === null)
    ? null
    : (usage.cpuUserMs ?? 0) + (usage.cpuSystemMs ?? 0);

export const usageToJson = (usage: Usage | null): Readonly<Record<string, unknown>> => ({
  peak_memory_bytes: usage?.peakMemoryBytes ?? null,
  cpu_user_ms: usage?.cpuUserMs ?? null,
  cpu_system_ms: usage?.cpuSystemMs ?? null,
});
