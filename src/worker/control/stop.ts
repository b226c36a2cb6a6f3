// Stops workers on any host: records the request in the store and waits until they have left.

import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, QueueError } from '../../errors/errors.ts';
import { canSee, fateOf, isRunning, ownIdentity, type Vantage } from '../../process/tree/identity.ts';
import { Settings } from '../../settings/settings.ts';
import type { StopMode, WorkerRecord } from '../../store/store.ts';
import { type QueueBackend, rescueNow } from '../start-worker.ts';
import { isSilent } from './view.ts';

const LOOK_AGAIN_MS = 25;
/** Time that a worker stopped by force may take in addition to its jobs' grace period. */
const FORCE_WITHIN_MS = 5000;
const END_WITHIN_MS = 2000;

export interface StopProgress {
  /** Workers that have not left. */
  readonly left: readonly LeftWorker[];
  readonly elapsedMs: number;
}

export interface LeftWorker {
  readonly id: string;
  /** IDs of its running jobs. */
  readonly running: readonly string[];
  /** True if the worker is not visible from here and has sent no heartbeat for its whole lease. */
  readonly isSilent: boolean;
}

/** Returns the workers that have not left: none, unless `goOn` returned false, which ends the wait. */
export async function stopWorkers(
  home: QueueBackend,
  ids: readonly string[],
  mode: StopMode,
  goOn: (progress: StopProgress) => boolean,
): Promise<readonly LeftWorker[]> {
  const stopping = (await home.store.workers()).filter(({ id }) => ids.includes(id));
  const isRecorded = await requestOrSignal(home, stopping, mode);
  const startedAt = performance.now();
  const killAfterMs = mode === 'force' ? (await graceMs(home)) + FORCE_WITHIN_MS : Number.POSITIVE_INFINITY;
  for (;;) {
    const there = await stillThere(home, ids);
    const left = there.map((worker) => leftOf(worker, home));
    const elapsedMs = performance.now() - startedAt;
    if (left.length === 0) {
      await untilProcessesEnded(home, stopping);
      if (isRecorded) await rescueNow(home); // jobs of workers that died meanwhile
      return [];
    }
    if (!goOn({ left, elapsedMs })) return left;
    if (elapsedMs > killAfterMs) for (const worker of there) send(worker, 'SIGKILL', home);
    if (isRecorded) await askAgain(home, there, mode);
    await sleep(Math.max(LOOK_AGAIN_MS, left.length)); // polling hundreds of workers slows them down
  }
}

/** Errors that prevent recording the request although workers may be running. */
const UNWRITABLE: ReadonlySet<unknown> = new Set<ErrorCode>(['store_full', 'store_read_only', 'store_busy']);

/** Returns true if the request is stored. If the store is not writable, visible workers get a signal instead. */
async function requestOrSignal(home: QueueBackend, workers: readonly WorkerRecord[], mode: StopMode): Promise<boolean> {
  try {
    await home.store.requestStop(
      workers.map(({ id }) => id),
      mode,
    );
    return true;
  } catch (error) {
    const isUnwritable = error instanceof QueueError && UNWRITABLE.has(error.code);
    if (!isUnwritable || !workers.every((worker) => isHere(worker, home))) throw error;
    const signals = mode === 'force' ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const);
    for (const worker of workers) for (const signal of signals) send(worker, signal, home);
    return false;
  }
}

const leftOf = (worker: WorkerRecord, home: QueueBackend): LeftWorker => ({
  id: worker.id,
  running: worker.running,
  isSilent: isSilent(worker, vantageOf(home), home.store.now()),
});

/** A worker that was considered lost and has registered again has lost the earlier request. */
async function askAgain(home: QueueBackend, left: readonly WorkerRecord[], mode: StopMode): Promise<void> {
  const unaware = left.filter(({ stopRequested }) => stopRequested === null).map(({ id }) => id);
  if (unaware.length > 0) await home.store.requestStop(unaware, mode);
}

async function stillThere(home: QueueBackend, ids: readonly string[]): Promise<WorkerRecord[]> {
  const own = vantageOf(home);
  const workers = await home.store.workers();
  return workers.filter((worker) => ids.includes(worker.id) && fateOf(worker, own) !== 'dead');
}

/**
 * A worker that has left takes a moment to exit. Skips processes that continue with other work, and those that are not
 * visible from here.
 */
async function untilProcessesEnded(home: QueueBackend, workers: readonly WorkerRecord[]): Promise<void> {
  const own = vantageOf(home);
  const others = new Set((await home.store.workers()).map(({ pid }) => pid));
  const ending = workers.filter((worker) => !others.has(worker.pid));
  const deadline = performance.now() + END_WITHIN_MS;
  const isEnding = (worker: WorkerRecord): boolean => canSee(own, worker) && isRunning(worker);
  while (ending.some(isEnding) && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
}

const vantageOf = ({ environment, store }: QueueBackend): Vantage => ({
  ...ownIdentity(environment),
  storeId: store.id,
});

async function graceMs(home: QueueBackend): Promise<number> {
  return new Settings(await home.store.settings(), home.overrides).ms('kill_grace');
}

/** True if the worker is visible and its PID has not been reused. */
const isHere = (worker: WorkerRecord, home: QueueBackend): boolean =>
  canSee(vantageOf(home), worker) && isRunning(worker);

function send(worker: WorkerRecord, signal: NodeJS.Signals, home: QueueBackend): void {
  if (!isHere(worker, home)) return;
  try {
    process.kill(worker.pid, signal);
  } catch {
    // The process has exited.
  }
}
