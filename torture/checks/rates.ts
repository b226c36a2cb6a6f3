// Checks that a queue with a rate never starts more jobs in any time span than the rate plus one burst allows. Uses
// claim times, because delays between claim and start do not count against the rate.

import type { Problem } from '../evidence.ts';

export interface Rate {
  readonly queue: string;
  readonly ratePerSecond: number;
  readonly burst: number;
}

export interface ClaimTime {
  readonly jobId: string;
  readonly at: number;
}

/** Times are whole milliseconds. */
const ROUNDING_MS = 1;

/** `clockChanges`: each change of the workers' clocks allows another burst. */
export function startedTooFast(
  { queue, ratePerSecond, burst }: Rate,
  claims: readonly ClaimTime[],
  clockChanges: readonly number[],
): Problem[] {
  const intervalMs = 1000 / ratePerSecond;
  const problems: Problem[] = [];
  let [usedUntil, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { jobId, at } of claims.toSorted((a, b) => a.at - b.at)) {
    const isNewClock = clockChanges.some((change) => change >= last && change <= at);
    usedUntil = Math.max(isNewClock ? at : usedUntil, at) + intervalMs;
    last = at;
    if (usedUntil <= at + burst * intervalMs + ROUNDING_MS) continue;
    const what = `queue ${queue} started more than ${ratePerSecond} a second and ${burst} at once`;
    problems.push({ what, jobId, at });
    usedUntil = at;
  }
  return problems;
}
