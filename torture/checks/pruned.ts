// Whether a job that is gone may have been pruned as a dead one, told from the ledger alone.

import { MAX_INTERRUPTIONS_IN_ROW } from '../../src/job/lifecycle.ts';
import type { Entry } from '../ledger.ts';

/**
 * The job ran, and its last line is not that of a success; or it succeeded where its worker was lost before it could say so,
 * after as many others as it takes.
 */
export function mayBePruned(own: readonly Entry[]): boolean {
  const last = own.at(-1);
  if (last === undefined) return false;
  return !isSuccess(last) || lostBefore(own, last) + 1 >= MAX_INTERRUPTIONS_IN_ROW;
}

const isSuccess = ({ kind, note }: Entry): boolean => kind === 'end' && note === '0';

/** How many runs in a row before the one of this line wrote no end. */
function lostBefore(own: readonly Entry[], { pid }: Entry): number {
  const starts = own.filter((entry) => entry.kind === 'start' && entry.pid !== pid);
  const hasEnded = (start: Entry): boolean =>
    own.some((entry) => entry.kind === 'end' && entry.pid === start.pid && entry.offset > start.offset);
  const lastEnded = starts.findLastIndex(hasEnded);
  return starts.length - 1 - lastEnded;
}
