// How a turn is recognised in the store: by an attempt that its worker began or ended in it, which nobody else writes.
// A turn is done whole or not at all, so one attempt is enough. A turn without any may be repeated.

import type { Lease, PruneQuery, Settled } from '../store.ts';
import type { Connection } from './session/connection.ts';
import { PROOF_IS_KEPT_MS, type Session } from './session/transaction.ts';

const WAS_BEGUN = 'SELECT 1 FROM attempts WHERE job_seq = $1 AND number = $2 AND worker_id = $3';
const WAS_ENDED = `${WAS_BEGUN} AND ended_at = $4`;

export function proveByAttempt(
  session: Session,
  workerId: string,
  settled: readonly Settled[],
  claimed: readonly Lease[],
  time: number,
): void {
  const ended = settled.find(({ state }) => state !== null);
  const [begun] = claimed;
  if (begun) session.provenBy(WAS_BEGUN, [begun.seq, begun.run, workerId]);
  else if (ended) session.provenBy(WAS_ENDED, [ended.seq, ended.run, workerId, time]);
}

/** Retention keeps the rows of young jobs: they prove to a client that lost the answer to its commit that it enqueued them. */
export function sparingProofs(connection: Connection, query: PruneQuery): PruneQuery {
  if (!query.isByRetention) return query;
  const youngest = connection.estimatedNow() - PROOF_IS_KEPT_MS;
  return { ...query, finishedBefore: Math.min(query.finishedBefore ?? youngest, youngest) };
}
