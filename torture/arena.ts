// Where torture happens: a queue, a fleet of workers, and the list of what was acknowledged. What an engine adds to
// this, and which faults can be done to it, is in the arena of that engine.

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
import { MEMORY_BUDGET_GIB } from './deeds/heavy.ts';
import { Ledger } from './ledger.ts';
import { type WebAddress, WebServer } from './web-server.ts';

const FLEET = 3;
/** How many slots each of the fleet has. */
const SLOTS = 3;
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'queuectl.cjs');

/** How a command of the program ended. */
export interface Answer {
  /** null if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An array of jobs, and the file that each of its commands writes its index to. */
export interface ArrayFacts {
  readonly ids: readonly string[];
  readonly file: string;
}

/** What every queue under torture is set to. Dead jobs go while others still run. */
export const SETTINGS = { kill_grace: '0.5', retention_dead: '40', memory_budget: `${MEMORY_BUDGET_GIB}G` };

/** What jobs do. */
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

/** What is done to the arena, and for how long. A fault undoes itself when its time is over. */
export type Fault = (chance: Chance, note: Note) => Promise<void>;

/** How a worker of the fleet is started. */
export interface Post {
  /** The queue as this worker reaches it. */
  readonly db: string;
  /** How far its clock is off, in ms; '' for a clock that is right. */
  readonly offsetFile: string;
  /** Which of several machines of the same name it works on. */
  readonly machine: string;
  readonly environment: NodeJS.ProcessEnv;
}

export abstract class Arena<P extends Post = Post> {
  readonly folder = mkdtempSync(join(tmpdir(), 'queuectl-torture-'));
  readonly ledger = new Ledger(this.folder);
  readonly diary = new Diary(this.folder);
  /** Ids that the queue said it has, minus those it said it removed. */
  readonly acknowledged = new Set<string>();
  /** Removal was asked for and not acknowledged: may be there or not. */
  readonly doubtful = new Set<string>();
  /** Somebody asked for them to run again. */
  readonly retried = new Set<string>();
  /** IDs of acknowledged jobs that nobody cancels, deletes or retries. */
  readonly untouched = new Set<string>();
  /** IDs of jobs whose ends call hooks, and the file that the hooks write to. */
  readonly hooked = new Set<string>();
  readonly hookLog = join(this.folder, 'hooks');
  /** IDs of jobs that may be pruned once they have finished. */
  readonly fleeting = new Set<string>();
  /** How many exports, imports and migrations were judged. */
  transfers = 0;
  /** By group. */
  readonly arrays = new Map<string, ArrayFacts>();
  /** Names of jobs enqueued over HTTP, and by name the ID that was acknowledged. */
  readonly webNames = new Set<string>();
  readonly webJobs = new Map<string, string>();
  /** By id, what jobs were told to wait for, whether or not they were let in. */
  readonly waits = new Map<string, Wait>();
  /** By name, what was done to schedules. */
  readonly schedules = new Map<string, ScheduleFacts>();
  /** Limits that were in force. */
  readonly limits: LimitPeriod[] = [];
  /** When the clocks of the workers were changed. */
  readonly clockChanges: number[] = [];
  /** What somebody is doing that only one may do at a time. */
  private readonly underWay = new Set<string>();
  private numbers = 0;
  /** The queue as its users reach it. */
  abstract readonly db: string;
  abstract readonly faults: Readonly<Record<string, Fault>>;
  /** The names that chance picks from: what is named twice happens twice as often. */
  abstract readonly menu: readonly string[];
  /** What jobs do: one of these, by chance. */
  abstract readonly work: readonly string[];
  abstract readonly settings: Readonly<Record<string, string>>;
  /** What went wrong on the way. */
  readonly problems: Problem[] = [];
  private readonly fleet = new Map<ChildProcess, P>();
  private readonly log = openSync(join(this.folder, LOGS.workers), 'a');
  /** While everything stands still nobody is hired or woken: one that is awake would see the others' leases end. */
  standstill: Promise<void> = Promise.resolve();
  private mustering: Promise<void> | null = null;
  private closed = false;
  private web: WebServer | null = null;

  /** What every process of this arena has in its environment, and no other. */
  abstract get mark(): Readonly<Record<string, string>>;

  /** Where the next worker is going to work. */
  protected abstract post(): Promise<P>;

  /** A worker dies, and with it whatever dies with a worker here. */
  abstract kill(worker: ChildProcess): Promise<void>;

  /** How long a worker may stand still and keep the promise that no two attempts run at once. */
  abstract readonly longestFreezeMs: number;

  /** How many slots a worker has that runs jobs of this queue. */
  slotsOf(_queue: string): number {
    return SLOTS;
  }

  /** Whether nothing is left to wait for but that the workers leave. */
  abstract isAtRest(queue: Queue): Promise<boolean>;

  get environment(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.folder, ...this.mark };
  }

  get workers(): ChildProcess[] {
    return [...this.fleet.keys()];
  }

  /** Never the same twice. */
  nextNumber(): number {
    return ++this.numbers;
  }

  /** Does nothing if somebody else is at the same. */
  async alone(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.underWay.has(what)) return;
    this.underWay.add(what);
    try {
      await work();
    } finally {
      this.underWay.delete(what);
    }
  }

  /** Runs the program as a user would. `killAfterMs`: kills it then, if it still runs. */
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

  /** The address of the HTTP server, which is started if it does not run. */
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

  /** An empty queue on the same engine, for migrations. */
  abstract sideQueue(number: number): string;

  abstract removeSideQueue(number: number): Promise<void>;

  openQueue(patienceMs = 20_000): Promise<Queue> {
    return Queue.open({ db: this.db, environment: this.environment, cwd: this.folder, patienceMs });
  }

  /** Where the worker works; undefined: it has gone. */
  postOf(worker: ChildProcess): P | undefined {
    return this.fleet.get(worker);
  }

  /** How the notes about a fault name a worker. */
  nameOf(worker: ChildProcess | undefined): string {
    return worker ? `worker with pid ${worker.pid}` : 'no worker';
  }

  /** Keeps the fleet at its strength; one at a time, as several may ask for it. */
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

  /** A worker stands still for so long, and in any case as long as everything does. */
  async freeze(worker: ChildProcess, ms: number): Promise<void> {
    worker.kill('SIGSTOP');
    await sleep(ms);
    await this.standstill;
    worker.kill('SIGCONT');
  }

  /** A worker that belongs to nobody's strength: whoever starts it ends it. */
  startWorker(post: Post, concurrency: string, queue = ''): ChildProcess {
    const { db, offsetFile, machine, environment } = post;
    const program = join(import.meta.dirname, 'worker.ts');
    const guardLog = join(this.folder, LOGS.guards);
    return spawn(process.execPath, [program, db, offsetFile, concurrency, machine, guardLog, queue], {
      env: { ...this.environment, ...environment },
      stdio: ['ignore', this.log, this.log],
    });
  }

  /** A worker has gone from its post, in good order or not. */
  protected vacate(_post: P, _inOrder: boolean): void {}

  /** Ends every worker by kill: what they leave behind is for the next ones. */
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

  /** Every process that belongs to this queue: workers, jobs and what those started. */
  survivors(mark: Readonly<Record<string, string>> = this.mark): number[] {
    return allPids().filter((pid) => pid !== process.pid && hasEnvironment(pid, mark));
  }

  /** Gives back what is not in the folder, or leaves it so that it can be looked at. */
  protected abstract release(keep: boolean): Promise<void>;

  /** Where the queue and all logs are. */
  get whereabouts(): string {
    return this.folder;
  }

  /** Ends what is left, and removes the folder unless it is to be kept. */
  async remove(keep: boolean): Promise<void> {
    for (const pid of this.survivors()) process.kill(pid, 'SIGKILL');
    closeSync(this.log);
    await this.release(keep);
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}
