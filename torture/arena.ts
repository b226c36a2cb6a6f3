// The arena of a torture run: a queue, a fleet of workers, and the list of acknowledged changes. The arena of each
// engine adds its own parts and faults.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allPids, hasEnvironment } from '../src/process/tree/proc.ts';
import { Queue } from '../src/queue/queue.ts';
import type { Chance } from './chance.ts';
import { Diary, type Note } from './diary.ts';
import { LOGS, type Problem } from './evidence.ts';
import type { LimitPeriod } from './checks/limits.ts';
import type { Wait } from './checks/order.ts';
import type { ScheduleFacts } from './checks/schedules.ts';
import { MEMORY_BUDGET_GIB } from './actions/heavy.ts';
import { Ledger } from './ledger.ts';
import { type WebAddress, WebServer } from './web-server.ts';

const FLEET = 3;
/** Slots of each worker. */
const SLOTS = 3;
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'queuectl.cjs');

/** Result of a command of the program. */
export interface Answer {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An array of jobs, and the file to which each command writes its index. */
export interface ArrayFacts {
  readonly ids: readonly string[];
  readonly file: string;
}

/** Settings of every tortured queue. Dead jobs are pruned while others still run. */
export const SETTINGS = { kill_grace: '0.5', retention_dead: '40', memory_budget: `${MEMORY_BUDGET_GIB}G` };

/** Commands of jobs. */
export const WORK = [
  'true',
  'sleep 0.0$((RANDOM_SEED % 9))',
  'sleep 0.2',
  'sleep 1',
  'exit 3',
  'kill -TERM $$',
  'sleep 0.4 & sleep 0.1',
  'env -i PATH="$PATH" sleep 0.3',
  'setsid env -i PATH="$PATH" sleep 0.3 & wait',
];

/** A fault of limited duration, which undoes itself. */
export type Fault = (chance: Chance, note: Note) => Promise<void>;

/** How to start a worker of the fleet. */
export interface Post {
  /** Address of the queue for this worker. */
  readonly db: string;
  /** File with the error of its clock in ms; '' for a correct clock. */
  readonly offsetFile: string;
  /** Which of several machines with the same name it runs on. */
  readonly machine: string;
  readonly environment: NodeJS.ProcessEnv;
}

export abstract class Arena<P extends Post = Post> {
  readonly folder = mkdtempSync(join(tmpdir(), 'queuectl-torture-'));
  readonly ledger = new Ledger(this.folder);
  readonly diary = new Diary(this.folder);
  /** IDs acknowledged as stored, without those acknowledged as deleted. */
  readonly acknowledged = new Set<string>();
  /** IDs with an unacknowledged deletion, which may exist or not. */
  readonly doubtful = new Set<string>();
  /** IDs of jobs that a user retried. */
  readonly retried = new Set<string>();
  /** IDs of acknowledged jobs that no user cancels, deletes or retries. */
  readonly untouched = new Set<string>();
  /** IDs of jobs with hooks, and the file that the hooks write to. */
  readonly hooked = new Set<string>();
  readonly hookLog = join(this.folder, 'hooks');
  /** IDs of jobs that may be pruned once they have finished. */
  readonly fleeting = new Set<string>();
  /** Number of checked exports, imports and migrations. */
  transfers = 0;
  /** Keyed by group. */
  readonly arrays = new Map<string, ArrayFacts>();
  /** Names of jobs enqueued over HTTP, and the acknowledged IDs by name. */
  readonly webNames = new Set<string>();
  readonly webJobs = new Map<string, string>();
  /** Dependencies of jobs by ID, whether or not the jobs were accepted. */
  readonly waits = new Map<string, Wait>();
  /** Changes to schedules by name. */
  readonly schedules = new Map<string, ScheduleFacts>();
  /** Limits that were in effect. */
  readonly limits: LimitPeriod[] = [];
  /** Times when the clocks of the workers were changed. */
  readonly clockChanges: number[] = [];
  /** Exclusive actions in progress. */
  private readonly underWay = new Set<string>();
  private numbers = 0;
  /** Address of the queue for its users. */
  abstract readonly db: string;
  abstract readonly faults: Readonly<Record<string, Fault>>;
  /** Names of faults to choose from; a repeated name is chosen more often. */
  abstract readonly menu: readonly string[];
  /** Commands of jobs, chosen at random. */
  abstract readonly work: readonly string[];
  abstract readonly settings: Readonly<Record<string, string>>;
  /** Problems found during the run. */
  readonly problems: Problem[] = [];
  private readonly fleet = new Map<ChildProcess, P>();
  private readonly log = openSync(join(this.folder, LOGS.workers), 'a');
  /** While everything is frozen, no worker is started or woken: an awake one would see the leases of others expire. */
  standstill: Promise<void> = Promise.resolve();
  private mustering: Promise<void> | null = null;
  private closed = false;
  private web: WebServer | null = null;

  /** Variables in the environment of every process of this arena and of no other. */
  abstract get mark(): Readonly<Record<string, string>>;

  /** Chooses the post of the next worker. */
  protected abstract post(): Promise<P>;

  /** Kills a worker, and everything that dies with a worker on this engine. */
  abstract kill(worker: ChildProcess): Promise<void>;

  /** How long a worker may be frozen without breaking the guarantee that no two attempts run at once. */
  abstract readonly longestFreezeMs: number;

  /** Slots of a worker that runs jobs of this queue. */
  slotsOf(_queue: string): number {
    return SLOTS;
  }

  /** True if only the exit of the workers is left to wait for. */
  abstract isAtRest(queue: Queue): Promise<boolean>;

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.folder, ...this.mark };
  }

  get workers(): ChildProcess[] {
    return [...this.fleet.keys()];
  }

  /** Returns a unique number. */
  nextNumber(): number {
    return ++this.numbers;
  }

  /** Does nothing if the same action is in progress. */
  async alone(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.underWay.has(what)) return;
    this.underWay.add(what);
    try {
      await work();
    } finally {
      this.underWay.delete(what);
    }
  }

  /** Runs the program like a user. `killAfterMs` kills it if it is still running then. */
  async command(
    argv: readonly string[],
    killAfterMs: number | null = null,
    environment: NodeJS.ProcessEnv = { QUEUECTL_DB: this.db },
  ): Promise<Answer> {
    const child = spawn(process.execPath, [PROGRAM, ...argv], {
      env: { ...this.environment, ...environment },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (part: Buffer) => {
        texts[name] += part.toString();
      });
    const killing = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearTimeout(killing);
    return { code, ...texts };
  }

  /** Returns the address of the HTTP server, and starts the server if needed. */
  webServer(): Promise<WebAddress> {
    this.web ??= new WebServer(PROGRAM, { ...this.environment, QUEUECTL_DB: this.db }, this.log);
    return this.web.address();
  }

  async killWebServer(): Promise<void> {
    await this.web?.kill();
  }

  async stopWebServer(): Promise<void> {
    await this.web?.stop();
  }

  /** Returns an empty queue on the same engine, for migrations. */
  abstract sideQueue(number: number): string;

  abstract removeSideQueue(number: number): Promise<void>;

  openQueue(patienceMs = 20_000): Promise<Queue> {
    return Queue.open({ db: this.db, environment: this.environment, cwd: this.folder, patienceMs });
  }

  /** Returns undefined if the worker has exited. */
  postOf(worker: ChildProcess): P | undefined {
    return this.fleet.get(worker);
  }

  /** Name of a worker in the notes about a fault. */
  nameOf(worker: ChildProcess | undefined): string {
    return worker ? `worker with pid ${worker.pid}` : 'no worker';
  }

  /** Restores the size of the fleet; serialized, because several callers may ask for it. */
  async muster(): Promise<void> {
    this.mustering ??= this.fill().finally(() => {
      this.mustering = null;
    });
    await this.mustering;
  }

  private async fill(): Promise<void> {
    while (!this.closed && this.fleet.size < FLEET) {
      const post = await this.post();
      await this.standstill;
      this.hire(post);
    }
  }

  private hire(post: P): void {
    const worker = this.startWorker(post, String(SLOTS));
    this.fleet.set(worker, post);
    worker.once('exit', (code) => {
      this.fleet.delete(worker);
      this.vacate(post, code === 0);
    });
  }

  /** Freezes a worker for this long, or longer while everything is frozen. */
  async freeze(worker: ChildProcess, ms: number): Promise<void> {
    worker.kill('SIGSTOP');
    await sleep(ms);
    await this.standstill;
    worker.kill('SIGCONT');
  }

  /** Starts an extra worker, which its caller must stop. */
  startWorker(post: Post, concurrency: string, queue = ''): ChildProcess {
    const { db, offsetFile, machine, environment } = post;
    const program = join(import.meta.dirname, 'worker.ts');
    const guardLog = join(this.folder, LOGS.guards);
    return spawn(process.execPath, [program, db, offsetFile, concurrency, machine, guardLog, queue], {
      env: { ...this.environment, ...environment },
      stdio: ['ignore', this.log, this.log],
    });
  }

  /** Called when a worker has left its post, cleanly or not. */
  protected vacate(_post: P, _inOrder: boolean): void {}

  /** Kills every worker, leaving their jobs to the next ones. */
  async dismiss(): Promise<void> {
    this.closed = true;
    await this.stopWebServer();
    const gone = this.workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of this.workers) {
      worker.kill('SIGCONT');
      worker.kill('SIGKILL');
    }
    await Promise.all(gone);
  }

  /** Returns every process of this queue: workers, jobs and their children. */
  survivors(mark: Readonly<Record<string, string>> = this.mark): number[] {
    return allPids().filter((pid) => pid !== process.pid && hasEnvironment(pid, mark));
  }

  /** Releases resources outside the directory, or keeps them for inspection. */
  protected abstract release(keep: boolean): Promise<void>;

  /** Location of the queue and all logs. */
  get whereabouts(): string {
    return this.folder;
  }

  /** Kills remaining processes, and removes the directory unless it is kept. */
  async remove(keep: boolean): Promise<void> {
    for (const pid of this.survivors()) process.kill(pid, 'SIGKILL');
    closeSync(this.log);
    await this.release(keep);
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}
