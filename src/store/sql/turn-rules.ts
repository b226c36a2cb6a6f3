// What holds for a worker's turn in every store.

import type { QueueLimit } from '../../job/flow/concurrency.ts';
import type { Stored } from '../../settings/settings.ts';
import { ratesOpenAt } from '../rows/limit-rows.ts';
import type { Lease, Settled, Turn, TurnResult } from '../store.ts';

/** Without a report, a turn that finds nothing to do needs to write nothing. */
export const hasReport = ({ started, progress, ended }: Turn): boolean =>
  started.length > 0 || ended.length > 0 || (progress !== undefined && progress.length > 0);

/**
 * A worker that was given up, is asked to stop, or is older than the tables are, is handed nothing more. One that goes by an
 * older limit over all workers is told the new one first.
 */
export const mayClaim = (
  turn: Turn,
  told: Pick<TurnResult, 'known' | 'isOutdated' | 'stopRequested' | 'settings'>,
): boolean =>
  told.known && !told.isOutdated && told.stopRequested === null && knowsLimit(turn, told.settings);

/** The setting whose change must not be overlooked by a claim. */
export const LIMIT_OVER_ALL = 'max_concurrent_jobs';

const knowsLimit = ({ settings }: Turn, stored: Stored): boolean =>
  settings === undefined || settings[LIMIT_OVER_ALL] === stored[LIMIT_OVER_ALL];

/** The limit that the turn goes by, to compare with what is stored: a JSON text, or null. undefined: any will do. */
export function knownLimit({ settings }: Turn): string | null | undefined {
  if (settings === undefined) return undefined;
  const value = settings[LIMIT_OVER_ALL];
  return value === undefined ? null : JSON.stringify(value);
}

/** The report of a worker that was given up is refused: its jobs are another worker's by now. */
export const refuseAll = (leases: readonly Lease[]): Settled[] =>
  leases.map(({ seq, run }) => ({ seq, run, state: null }));

/** When a job becomes due, or a rate lets the next one start. */
export function wakeAt(limits: readonly QueueLimit[], due: number | null, now: number): number | null {
  const opens = ratesOpenAt(limits, now);
  return opens === null || (due !== null && due < opens) ? due : opens;
}
