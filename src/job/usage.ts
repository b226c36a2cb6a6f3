// What an attempt used of the machine, as far as the system tells. Pure.

export interface Usage {
  /**
   * The most memory that it held: of all its processes together where something counted them, else of the largest. null:
   * not known, as of a job that ends at once and needs less than its worker does.
   */
  readonly peakMemoryBytes: number | null;
  /** Time on a CPU, of it and of all processes that it or one of those waited for. */
  readonly cpuUserMs: number | null;
  /** The same, spent in the kernel for them. */
  readonly cpuSystemMs: number | null;
}

/** null: nothing is known. */
export const usageFrom = (
  peakMemoryBytes: number | null,
  cpuUserMs: number | null,
  cpuSystemMs: number | null,
): Usage | null =>
  peakMemoryBytes === null && cpuUserMs === null && cpuSystemMs === null
    ? null
    : { peakMemoryBytes, cpuUserMs, cpuSystemMs };

/** What was seen of an attempt in different ways: each saw no more than there was, so the most of each kind holds. */
export function joinedUsage(a: Usage | null | undefined, b: Usage | null | undefined): Usage | null {
  if (!a || !b) return a ?? b ?? null;
  return {
    peakMemoryBytes: most(a.peakMemoryBytes, b.peakMemoryBytes),
    cpuUserMs: most(a.cpuUserMs, b.cpuUserMs),
    cpuSystemMs: most(a.cpuSystemMs, b.cpuSystemMs),
  };
}

const most = (a: number | null, b: number | null): number | null =>
  a === null || (b !== null && b > a) ? b : a;

export const cpuMsOf = (usage: Usage | null): number | null =>
  usage === null || (usage.cpuUserMs === null && usage.cpuSystemMs === null)
    ? null
    : (usage.cpuUserMs ?? 0) + (usage.cpuSystemMs ?? 0);

export const usageToJson = (usage: Usage | null): Readonly<Record<string, unknown>> => ({
  peak_memory_bytes: usage?.peakMemoryBytes ?? null,
  cpu_user_ms: usage?.cpuUserMs ?? null,
  cpu_system_ms: usage?.cpuSystemMs ?? null,
});
