// How long a worker may sleep when it has nothing to do at once. Pure.

const SHORTEST_MS = 5; // whatever the clocks say, there is no busy loop

export interface Occasions {
  /** While something is wrong, for so long at least. */
  readonly pauseMs: number;
  readonly now: number;
  /** When something is known to be due, or null. */
  readonly nextDueAt: number | null;
  /** Until each of the other things that want a turn. */
  readonly untilMs: readonly number[];
}

/** Until something is known to be due; the poll among them forgives a lost wake-up. */
export function sleepMs({ pauseMs, now, nextDueAt, untilMs }: Occasions): number {
  if (pauseMs > 0) return Math.max(SHORTEST_MS, pauseMs);
  const untilDue = nextDueAt === null ? Number.POSITIVE_INFINITY : nextDueAt - now;
  return Math.max(SHORTEST_MS, Math.min(untilDue, ...untilMs));
}
