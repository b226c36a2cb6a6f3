// A worker as seen from this process: its record, and whether it is alive.

import { fateOf, type Vantage } from '../../process/tree/identity.ts';
import type { WorkerRecord } from '../../store/store.ts';

export interface WorkerView extends WorkerRecord {
  /** lost: the worker died and has not been rescued yet. */
  readonly state: 'idle' | 'busy' | 'stopping' | 'lost';
}

export function viewOf(worker: WorkerRecord, own: Vantage, now: number): WorkerView {
  const fate = fateOf(worker, own);
  const isGone = fate === 'dead' || (fate === 'unknown' && isOverdue(worker, now));
  const isLost = isGone || worker.condemnedAt !== null;
  return { ...worker, state: isLost ? 'lost' : activityOf(worker) };
}

/** Returns the workers that would claim a job of this queue. */
export const servingAmong = (workers: readonly WorkerView[], queue: string): WorkerView[] =>
  workers.filter(
    ({ state, queues, onlyJob }) =>
      state !== 'lost' && state !== 'stopping' && onlyJob === null && (queues?.includes(queue) ?? true),
  );

/** True if the worker is not visible from here and has sent no heartbeat for its whole lease, so it is probably gone. */
export const isSilent = (worker: WorkerRecord, own: Vantage, now: number): boolean =>
  fateOf(worker, own) === 'unknown' && isOverdue(worker, now);

const isOverdue = (worker: WorkerRecord, now: number): boolean => now - worker.lastHeartbeat > worker.leaseMs;

function activityOf(worker: WorkerRecord): WorkerView['state'] {
  if (worker.stopRequested) return 'stopping';
  return worker.running.length > 0 ? 'busy' : 'idle';
}
