// Computes how long an idle worker may sleep. Pure.

const SHORTEST_MS = 5; // prevents a busy loop whatever the clocks say

export interface Occasions {
  /** Minimum sleep while there is a problem. */
  readonly pauseMs: number;
  readonly now: number;
  /** Next known due time, or null. */
  readonly nextDueAt: number | null;
  /** Times until other events that need a turn. */
  readonly untilMs: readonly number[];
}

/** Sleeps until the next event. Polling is one of the events, so a lost wake-up only causes a delay. */
export function sleepMs({ pauseMs, now, nextDueAt, untilMs }: Occasions): number {
  if (pauseMs > 0) return Math.max(SHORTEST_MS, pauseMs);
  const untilDue = nextDueAt === null ? Number.POSITIVE_INFINITY : nextDueAt - now;
  return Math.max(SHORTEST_MS, Math.min(untilDue, ...untilMs));
}
