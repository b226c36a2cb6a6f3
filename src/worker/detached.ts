// Workers in the background: processes of their own that outlive the terminal, each with a log in run/.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../errors.ts';
import type { Place } from '../place.ts';
import { isRunning } from '../process/identity.ts';
import { NO_LEASE } from '../process/tree.ts';
import type { Store, WorkerRecord } from '../store/store.ts';
import { pidFilePath, workerLogPath } from './paths.ts';

const START_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 10;
const KEEP_OLD_LOGS_MS = 7 * 86_400_000;

export interface DetachedWorker {
  readonly id: string;
  /** How this program is run as a worker: arguments for process.execPath. */
  readonly args: readonly string[];
}

/** Starts the processes and resolves when all of them are registered. */
export async function startDetached(
  home: { readonly store: Store; readonly place: Place; readonly environment: NodeJS.ProcessEnv },
  workers: readonly DetachedWorker[],
): Promise<WorkerRecord[]> {
  await expectWritable(home.store);
  mkdirSync(home.place.run, { recursive: true, mode: 0o700 });
  removeLeftovers(home.place);
  const children = workers.map((worker) => ({ id: worker.id, child: spawnDetached(home, worker) }));
  return Promise.all(children.map(({ id, child }) => registered(home, id, child)));
}

/** To stop no worker changes nothing, and is refused where a worker could not register either. */
const expectWritable = (store: Store): Promise<void> => store.requestStop([], 'graceful');

function spawnDetached(
  home: { place: Place; environment: NodeJS.ProcessEnv },
  worker: DetachedWorker,
): ChildProcess {
  const log = openSync(workerLogPath(home.place, worker.id), 'a', 0o600);
  try {
    const child = spawn(process.execPath, worker.args, {
      cwd: home.place.folder, // not the user's folder, which may be removed or unmounted
      env: { ...withoutJob(home.environment), QUEUECTL_DB: home.place.db },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', () => {}); // seen as an exit by registered()
    child.unref();
    if (child.pid) writeFileSync(pidFilePath(home.place, worker.id), `${child.pid}\n`, { mode: 0o600 });
    return child;
  } finally {
    closeSync(log);
  }
}

/** A worker started by a job is not part of that job: it must not carry the job's mark. */
function withoutJob(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { QUEUECTL_JOB_ID, QUEUECTL_ATTEMPT, QUEUECTL_QUEUE, QUEUECTL_WORKER_ID, ...rest } = environment;
  return { ...rest, ...NO_LEASE };
}

async function registered(
  home: { store: Store; place: Place },
  id: string,
  child: ChildProcess,
): Promise<WorkerRecord> {
  const deadline = performance.now() + START_WITHIN_MS;
  while (performance.now() < deadline) {
    const record = (await home.store.workers()).find((worker) => worker.id === id);
    if (record) return record;
    // A draining worker may have come and gone in between.
    if (child.exitCode === 0) return leftAlready(id, child);
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) break;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new QueueError('worker_start_failed', {
    id,
    problem: lastWords(workerLogPath(home.place, id)),
    log: workerLogPath(home.place, id),
  });
}

const leftAlready = (id: string, child: ChildProcess): WorkerRecord => ({
  id,
  host: '',
  pid: child.pid ?? 0,
  pidStartedAt: null,
  bootId: '',
  storeId: '',
  leaseMs: 0,
  onlyJob: null,
  condemnedAt: null,
  queues: null,
  concurrency: 1,
  startedAt: 0,
  lastHeartbeat: 0,
  stopRequested: null,
  running: [],
  notice: null,
});

function lastWords(logPath: string): string {
  try {
    const lines = readFileSync(logPath, 'utf8').trim().split('\n');
    const error = lines.findLast((line) => line.startsWith('error: '))?.slice('error: '.length);
    return error ?? (lines.at(-1) || 'it said nothing');
  } catch {
    return 'it said nothing';
  }
}

function pidIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

/** Leftovers of workers that have gone: pid files at once, logs after a week. */
function removeLeftovers(place: Place): void {
  const cutoff = Date.now() - KEEP_OLD_LOGS_MS;
  const names = readdirSync(place.run).filter((name) => /\.(log|pid)$/.test(name));
  for (const name of names) {
    const path = join(place.run, name);
    const isOld = (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? cutoff) < cutoff;
    if (!isWorking(path) && (isOld || name.endsWith('.pid'))) rmSync(path, { force: true });
  }
}

const isWorking = (path: string): boolean =>
  isRunning({ pid: pidIn(path.replace(/\.log$/, '.pid')), pidStartedAt: null });
