// Computes the delay before a failed job's next attempt.

import type { BackoffStrategy } from './job.ts';

export interface Backoff {
  readonly strategy: BackoffStrategy;
  readonly base: number;
  readonly maxSeconds: number;
  /** Fraction from 0 to 1 by which the computed delay may randomly vary in either direction. */
  readonly jitter: number;
}

const curves: Record<BackoffStrategy, (base: number, attempts: number) => number> = {
  exponential: (base, attempts) => base ** attempts,
  linear: (base, attempts) => base * attempts,
  fixed: (base) => base,
};

/** Returns the delay after the given number of attempts (1 or more). `chance` is in [0, 1). */
export function backoffSeconds(backoff: Backoff, attempts: number, chance: number): number {
  const spread = 1 + backoff.jitter * (2 * chance - 1);
  return Math.min(
    Math.min(curves[backoff.strategy](backoff.base, attempts), backoff.maxSeconds) * spread,
    backoff.maxSeconds,
  );
}
