// Rules for a worker's turn, shared by both stores.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import type { Stored } from '../../settings/settings.ts';
import { ratesOpenAt } from '../rows/limit-rows.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';

/** A turn without reports writes nothing if there is nothing to do. */
export const hasReport = ({ started, progress, ended }: Turn): boolean =>
  started.length > 0 || ended.length > 0 || (progress !== undefined && progress.length > 0);

/**
 * Returns false for a worker that was given up, must stop, or is older than the database schema. A worker whose limit
 * across all workers is outdated first receives the current settings.
 */
export const mayClaim = (
  turn: Turn,
  told: Pick<TurnResult, 'known' | 'isOutdated' | 'stopRequested' | 'settings'>,
): boolean => told.known && !told.isOutdated && told.stopRequested === null && knowsLimit(turn, told.settings);

/** A change of this setting must take effect before the next claim. */
export const LIMIT_OVER_ALL = 'max_concurrent_jobs';

const knowsLimit = ({ settings }: Turn, stored: Stored): boolean =>
  settings === undefined || settings[LIMIT_OVER_ALL] === stored[LIMIT_OVER_ALL];

/**
 * Returns the limit that the worker uses, as JSON or null, for comparison with the stored one. Returns undefined if any
 * limit is accepted.
 */
export function knownLimit({ settings }: Turn): string | null | undefined {
  if (settings === undefined) return undefined;
  const value = settings[LIMIT_OVER_ALL];
  return value === undefined ? null : JSON.stringify(value);
}

/** Rejects the reports of a worker that was given up, because other workers have its jobs now. */
export const rejectAll = (leases: readonly Lease[]): Settled[] =>
  leases.map(({ seq, run }) => ({ seq, run, state: null }));

/** When a job becomes due, or a rate limit allows the next start. */
export function wakeAt(limits: readonly QueueLimit[], due: number | null, now: number): number | null {
  const opens = ratesOpenAt(limits, now);
  return opens === null || (due !== null && due < opens) ? due : opens;
}
