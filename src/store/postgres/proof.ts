// Proves that a turn was committed: by an attempt that it started or ended, which no other worker writes.
// A turn is committed as a whole, so one attempt is enough. A turn without attempts may be repeated.

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

/** Keeps recent jobs from retention: they prove that they were enqueued to a client that lost the answer to its commit. */
export function keepingProofs(connection: Connection, query: PruneQuery): PruneQuery {
  if (!query.isByRetention) return query;
  const youngest = connection.estimatedNow() - PROOF_IS_KEPT_MS;
  return { ...query, finishedBefore: Math.min(query.finishedBefore ?? youngest, youngest) };
}
