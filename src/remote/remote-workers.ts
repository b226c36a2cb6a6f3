// Lists and stops workers over HTTP. The server stops them and reports progress; disconnecting does not cancel the
// stop.

import { QueueError } from '../errors/errors.ts';
import type { WorkerControl } from '../queue/interface.ts';
import type { LeftWorker } from '../worker/control/stop.ts';
import { servingAmong, type WorkerView } from '../worker/control/view.ts';
import { workerFrom } from './from-wire.ts';
import { isUnreachable, type RemoteCaller } from './remote-caller.ts';

interface Progress {
  readonly left?: readonly Omit<LeftWorker, 'isSilent'>[];
  readonly elapsed_ms?: number;
  /** In the last line. */
  readonly workers?: readonly { readonly id: string; readonly state: 'stopped' | 'lost' }[];
}

export function remoteWorkers(caller: RemoteCaller): WorkerControl {
  const workers = async (): Promise<WorkerView[]> => (await caller.call('listWorkers', {})).workers.map(workerFrom);
  return {
    workers,
    workersServing: async (queue) => servingAmong(await workers(), queue),
    requestStop: async (ids, mode) => {
      await caller.call('stopWorkers', {}, { workers: ids, force: mode === 'force', wait: false });
    },
    stopWorkers: (...wish) => stopWorkers(caller, ...wish),
  };
}

async function stopWorkers(
  caller: RemoteCaller,
  ...[ids, mode, goOn]: Parameters<WorkerControl['stopWorkers']>
): Promise<readonly LeftWorker[]> {
  const body = { workers: ids, force: mode === 'force' };
  let isAsked = false;
  try {
    for await (const told of caller.lines<Progress>('stopWorkers', {}, body)) {
      isAsked = true;
      if (told.workers) return lostAmong(told.workers);
      const left = (told.left ?? []).map((worker) => ({ ...worker, isSilent: false }));
      if (!goOn({ left, elapsedMs: told.elapsed_ms ?? 0 })) return left; // leaving the loop closes the connection
    }
  } catch (error) {
    if (!isAsked || !isUnreachable(error)) throw error;
  }
  throw new QueueError('stop_unwatched', { url: caller.transport.name });
}

const lostAmong = (workers: NonNullable<Progress['workers']>): LeftWorker[] =>
  workers.filter(({ state }) => state === 'lost').map(({ id }) => ({ id, running: [], isSilent: true }));
