// Background workers: processes that outlive the terminal, each with a log in run/.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueError } from '../../errors/errors.ts';
import { withoutJobServer } from '../../job/isolation/job-token.ts';
import { newOwnFile, openOwnFile } from '../../system/own-file.ts';
import type { Place } from '../../store/location.ts';
import { isRunning } from '../../process/tree/identity.ts';
import { NO_LEASE } from '../../process/tree/tree.ts';
import type { Store, WorkerRecord } from '../../store/store.ts';
import { pidFilePath, workerLogPath } from './paths.ts';

/** Maximum wait for another worker to register before the launch fails. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 10;
const KEEP_OLD_LOGS_MS = 7 * 86_400_000;

export interface DetachedWorker {
  readonly id: string;
  /** Arguments for process.execPath that run a worker. */
  readonly args: readonly string[];
}

export type StartedWorker = Pick<WorkerRecord, 'id' | 'host' | 'pid'>;

interface Home {
  readonly store: Pick<Store, 'workers' | 'requestStop'>;
  readonly place: Place;
  readonly environment: NodeJS.ProcessEnv;
}

export interface StartOptions {
  readonly patienceMs?: number;
  /** Number of workers starting at a time; more would slow each other down. */
  readonly atOnce?: number;
  /** Called with the number of started workers. */
  readonly progress?: (started: number) => void;
}

/** Starts the processes, a few at a time. Resolves when all of them are registered. */
export async function startDetached(
  home: Home,
  workers: readonly DetachedWorker[],
  options: StartOptions = {},
): Promise<StartedWorker[]> {
  await expectWritable(home.store);
  mkdirSync(home.place.run, { recursive: true, mode: 0o700 });
  removeLeftovers(home.place);
  const fleet = new Fleet(home, workers, options.atOnce ?? 2 * availableParallelism());
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  for (let progressAt = performance.now(); !fleet.isDone; ) {
    fleet.spawnSome();
    if (await fleet.look()) progressAt = performance.now();
    else if (performance.now() - progressAt > patienceMs) throw fleet.tooLate();
    else await sleep(LOOK_AGAIN_MS);
    options.progress?.(fleet.started);
  }
  return fleet.records;
}

/** Stopping no worker changes nothing, but fails if the store is not writable and workers could not register. */
const expectWritable = (store: Pick<Store, 'requestStop'>): Promise<void> => store.requestStop([], 'graceful');

/** Worker processes that have not registered yet: a bounded number at once, with one query for all. */
class Fleet {
  private readonly home: Home;
  private readonly workers: readonly DetachedWorker[];
  private readonly atOnce: number;
  private readonly starting = new Map<string, ChildProcess>();
  private readonly arrived = new Map<string, StartedWorker>();

  constructor(home: Home, workers: readonly DetachedWorker[], atOnce: number) {
    this.home = home;
    this.workers = workers;
    this.atOnce = atOnce;
  }

  get started(): number {
    return this.arrived.size;
  }

  get isDone(): boolean {
    return this.started === this.workers.length;
  }

  /** Records in the order of the request. */
  get records(): StartedWorker[] {
    return this.workers.flatMap(({ id }) => this.arrived.get(id) ?? []);
  }

  spawnSome(): void {
    const next = this.workers.slice(this.started + this.starting.size, this.started + this.atOnce);
    for (const worker of next) this.starting.set(worker.id, spawnDetached(this.home, worker));
  }

  /** Returns true if a worker has registered since the last call. Throws if one exited before it registered. */
  async look(): Promise<boolean> {
    const before = this.started;
    const records = new Map((await this.home.store.workers()).map((record) => [record.id, record]));
    for (const [id, child] of this.starting) {
      const record = records.get(id) ?? endedEarly(this.home, id, child);
      if (record === null) continue;
      this.starting.delete(id);
      this.arrived.set(id, record);
    }
    return this.started > before;
  }

  tooLate(): QueueError {
    const [id = ''] = this.starting.keys();
    return failed(this.home, id);
  }
}

/** Returns null while the process runs. A draining worker may have registered and left between two calls. */
function endedEarly(home: Home, id: string, child: ChildProcess): StartedWorker | null {
  if (child.exitCode === 0) return { id, host: '', pid: child.pid ?? 0 };
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) throw failed(home, id);
  return null;
}

const failed = ({ place }: Home, id: string): QueueError =>
  new QueueError('worker_start_failed', {
    id,
    problem: lastWords(workerLogPath(place, id)),
    log: workerLogPath(place, id),
  });

function spawnDetached(home: Home, worker: DetachedWorker): ChildProcess {
  const log = openOwnFile(workerLogPath(home.place, worker.id));
  try {
    const child = spawn(process.execPath, worker.args, {
      cwd: home.place.folder, // not the user's directory, which may be removed or unmounted
      env: { ...withoutJob(home.environment), QUEUECTL_DB: home.place.db },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', () => {}); // handled as an exit by endedEarly()
    child.unref();
    if (child.pid) writePid(pidFilePath(home.place, worker.id), child.pid);
    return child;
  } finally {
    closeSync(log);
  }
}

function writePid(path: string, pid: number): void {
  const file = newOwnFile(path);
  try {
    writeFileSync(file, `${pid}\n`);
  } finally {
    closeSync(file);
  }
}

/** A worker that a job starts is not part of that job and must not carry its mark. */
function withoutJob(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { QUEUECTL_JOB_ID, QUEUECTL_ATTEMPT, QUEUECTL_QUEUE, QUEUECTL_GROUP, QUEUECTL_WORKER_ID, ...others } =
    environment;
  const { QUEUECTL_SCHEDULED_AT, ...rest } = others;
  return { ...withoutJobServer(rest), ...NO_LEASE };
}

function lastWords(logPath: string): string {
  try {
    const lines = readFileSync(logPath, 'utf8').trim().split('\n');
    const error = lines.findLast((line) => line.startsWith('error: '))?.slice('error: '.length);
    return error ?? (lines.at(-1) || 'no output');
  } catch {
    return 'no output';
  }
}

function pidIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

/** Removes files of workers that have left: PID files at once, logs after a week. */
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
