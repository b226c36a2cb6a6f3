// Waiting for something to become true, with a deadline, never for a time to pass.

import { setTimeout as pause } from 'node:timers/promises';

/** Long, as a deadline that is met costs nothing: the machine may be busy. */
const DEADLINE_MS = 60_000;
const BETWEEN_LOOKS_MS = 5;

type Truthy<T> = Exclude<T, null | undefined | false | 0 | ''>;

/** The first truthy answer of `look`; an error that says what was waited for when there is none in time. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<Truthy<T>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await look();
    if (answer) return answer as Truthy<T>;
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(BETWEEN_LOOKS_MS);
  }
}
