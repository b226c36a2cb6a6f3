// Waiting for something to become true, with a deadline, never for a time to pass.

import { setTimeout as pause } from 'node:timers/promises';

/** Long, as a deadline that is met costs nothing: the machine may be busy. */
const DEADLINE_MS = 60_000;
/** Looks cost others their time: who has waited for long looks less often, and hears of it a tenth later at most. */
const BETWEEN_LOOKS = { leastMs: 5, mostMs: 50, share: 0.1 };

type Truthy<T> = Exclude<T, null | undefined | false | 0 | ''>;

/** The first truthy answer of `look`; an error that says what was waited for when there is none in time. */
export async function until<T>(what: string, look: () => T | Promise<T>, deadlineMs = DEADLINE_MS): Promise<Truthy<T>> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await look();
    if (answer) return answer as Truthy<T>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(untilNextLookMs(waitedMs));
  }
}

function untilNextLookMs(waitedMs: number): number {
  const { leastMs, mostMs, share } = BETWEEN_LOOKS;
  return Math.min(Math.max(leastMs, waitedMs * share), mostMs);
}
