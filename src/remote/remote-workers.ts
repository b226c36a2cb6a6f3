// Stopping workers through a server: that one asks them, waits for them and says how far it is. Who stops listening does not
// take it back.

import { QueueError } from '../errors/errors.ts';
import type { StopMode } from '../store/store.ts';
import type { LeftWorker, StopProgress } from '../worker/control/stop.ts';
import { isUnreachable, type RemoteCaller } from './remote-caller.ts';

interface Told {
  readonly left?: readonly Omit<LeftWorker, 'isSilent'>[];
  readonly elapsed_ms?: number;
  /** At the end. */
  readonly workers?: readonly { readonly id: string; readonly state: 'stopped' | 'lost' }[];
}

export async function requestStop(
  caller: RemoteCaller,
  ids: readonly string[],
  mode: StopMode,
): Promise<void> {
  await caller.call('stopWorkers', {}, { workers: ids, force: mode === 'force', wait: false });
}

export async function stopWorkers(
  caller: RemoteCaller,
  ids: readonly string[],
  mode: StopMode,
  goOn: (progress: StopProgress) => boolean,
): Promise<readonly LeftWorker[]> {
  const body = { workers: ids, force: mode === 'force' };
  let isAsked = false;
  try {
    for await (const told of caller.lines<Told>('stopWorkers', {}, body)) {
      isAsked = true;
      if (told.workers) return lostAmong(told.workers);
      const left = (told.left ?? []).map((worker) => ({ ...worker, isSilent: false }));
      if (!goOn({ left, elapsedMs: told.elapsed_ms ?? 0 })) return left; // which ends the connection
    }
  } catch (error) {
    if (!isAsked || !isUnreachable(error)) throw error;
  }
  throw new QueueError('stop_unwatched', { url: caller.transport.name });
}

const lostAmong = (workers: NonNullable<Told['workers']>): LeftWorker[] =>
  workers.filter(({ state }) => state === 'lost').map(({ id }) => ({ id, running: [], isSilent: true }));
