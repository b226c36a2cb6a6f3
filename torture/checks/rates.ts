// A queue with a rate starts no more than the rate allows in any span of time, but for one burst. Told from when its jobs
// were claimed: what happens to a worker between a claim and the start of the command is not the rate's business.

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

/** `clockChanges`: whenever the clocks of the workers are changed, a burst is free again. */
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
