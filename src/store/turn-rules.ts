// What holds for a worker's turn in every store.

import type { Lease, Settled, Turn, TurnResult } from './store.ts';

/** Without a report, a turn that finds nothing to do needs to write nothing. */
export const hasReport = (turn: Turn): boolean => turn.started.length > 0 || turn.ended.length > 0;

/** A worker that was given up, is asked to stop, or is older than the tables are, is handed nothing more. */
export const mayClaim = (told: Pick<TurnResult, 'known' | 'isOutdated' | 'stopRequested'>): boolean =>
  told.known && !told.isOutdated && told.stopRequested === null;

/** The report of a worker that was given up is not taken: somebody else speaks for its jobs. */
export const refuseAll = (leases: readonly Lease[]): Settled[] =>
  leases.map(({ seq, number }) => ({ seq, number, state: null }));
