// Which jobs that are gone may have been pruned as dead ones.

import type { Entry } from '../ledger.ts';

/**
 * A job may have been pruned that ran and whose last line is not that of a success; or one that a worker found dead when it
 * rescued it, since its own worker, the last of several, was lost before it could report the success.
 */
export function mayBePruned(own: readonly Entry[], isQuarantined: boolean): boolean {
  const last = own.at(-1);
  return isQuarantined || (last !== undefined && !(last.kind === 'end' && last.note === '0'));
}

const RESCUED_DEAD = / {2}rescued +(\S+) +from lost worker \S+, now dead$/gm;

/** The IDs of jobs that a rescue left dead, from the log of the workers. */
export const quarantinedIn = (log: string): ReadonlySet<string> =>
  new Set(log.matchAll(RESCUED_DEAD).map(([, id]) => id ?? ''));
