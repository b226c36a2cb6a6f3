// Rules for a worker's turn in both stores.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import type { Stored } from '../../settings/settings.ts';
import { ratesOpenAt } from '../rows/limit-rows.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';

/** Without a report, a turn with nothing to do writes nothing. */
export const hasReport = ({ started, progress, ended }: Turn): boolean =>
  started.length > 0 || ended.length > 0 || (progress !== undefined && progress.length > 0);

/**
 * A worker that was condemned, is stopping or is older than the schema claims nothing. A worker that uses an outdated limit over
 * all workers gets the new settings first.
 */
export const mayClaim = (
  turn: Turn,
  told: Pick<TurnResult, 'known' | 'isOutdated' | 'stopRequested' | 'settings'>,
): boolean =>
  told.known && !told.isOutdated && told.stopRequested === null && knowsLimit(turn, told.settings);

/** The setting that a claim has to know in its current version. */
export const LIMIT_OVER_ALL = 'max_concurrent_jobs';

const knowsLimit = ({ settings }: Turn, stored: Stored): boolean =>
  settings === undefined || settings[LIMIT_OVER_ALL] === stored[LIMIT_OVER_ALL];

/** The limit that the turn uses, to compare with the stored one: a JSON text, or null. undefined: do not compare. */
export function knownLimit({ settings }: Turn): string | null | undefined {
  if (settings === undefined) return undefined;
  const value = settings[LIMIT_OVER_ALL];
  return value === undefined ? null : JSON.stringify(value);
}

/** Rejects the report of a condemned worker: its jobs may belong to another worker by now. */
export const refuseAll = (leases: readonly Lease[]): Settled[] =>
  leases.map(({ seq, run }) => ({ seq, run, state: null }));

/** When a job becomes due, or a rate limit allows the next start. */
export function wakeAt(limits: readonly QueueLimit[], due: number | null, now: number): number | null {
  const opens = ratesOpenAt(limits, now);
  return opens === null || (due !== null && due < opens) ? due : opens;
}
