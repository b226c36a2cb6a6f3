// Jitter: delays a schedule's runs, so that not everything starts at :00. It depends only on the name, so it is the
// same for every run on every host.

import { invalid } from './invalid.ts';
import { type NextTime, upcoming } from './timing.ts';

/** Returns at least 0 and less than `jitterMs`. */
export function jitterOf(name: string, jitterMs: number): number {
  return Math.floor((hash(name) / 2 ** 32) * jitterMs);
}

/** FNV-1a with a final mix, because short names differ in few bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Number of upcoming times to check for the shortest interval. */
const LOOK_AT = 100;

/** Rejects jitter that could delay a run beyond the next one. */
export function checkJitter(jitterMs: number, next: NextTime, now: number): void {
  if (jitterMs === 0) return;
  const interval = shortestInterval(upcoming(next, now, LOOK_AT));
  if (jitterMs < interval) return;
  if (interval === 0) throw invalid('--jitter requires a repeating schedule', 'remove --jitter');
  throw invalid(
    `--jitter must be shorter than the interval of ${interval / 1000} seconds`,
    `try --jitter ${Math.max(1, Math.floor(interval / 2000))}s`,
  );
}

/** Returns 0 if there is no interval. */
function shortestInterval(times: readonly number[]): number {
  const intervals = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  return intervals.length === 0 ? 0 : Math.min(...intervals);
}
