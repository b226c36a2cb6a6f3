// A queue with real workers: processes started through bin/queuectl, looked at through the library.
// When the test ends its workers are stopped; whatever else is still there was leaked, and the test fails.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Attempt, isFinal, type Job, type JobState } from '../../src/job/job.ts';
import { LogText } from '../../src/output/log-text.ts';
import { show } from '../../src/output/receiver.ts';
import { processEntry } from '../../src/process/tree/proc.ts';
import { type NewJobInput, Queue, type WorkerView } from '../../src/queue/queue.ts';
import { type Document, type Started, TestQueue } from '../cli/support.ts';
import { leftAfter, processesWith } from './processes.ts';
import { delegating } from './delegating.ts';
import { newFolder, removeFolder } from './folder.ts';
import { until } from './until.ts';

export const fixture = (name: string): string => path.join(import.meta.dirname, '..', 'fixtures', name);
export const isAlive = (pid: number): boolean => processEntry(pid) !== null;

/** Workers hear of a job by its wake-up or its due time, or not at all: nothing else makes them look. */
export const NO_POLL = { poll_interval: 3600, heartbeat_interval: 3600, lease_duration: 86_400 };

const LEAVE_WITHIN_MS = 10_000;

interface Ending {
  after(work: () => void | Promise<void>): void;
}

export interface FleetWorker {
  readonly id: string;
  readonly pid: number;
}

export interface ForegroundWorker extends FleetWorker, Omit<Started, 'pid'> {}

export async function newFleet(t: Ending, settings: Readonly<Record<string, string | number>> = {}): Promise<Fleet> {
  const folder = newFolder();
  const cli = new TestQueue(folder);
  await cli.makeFile();
  const queue = await Queue.open({ environment: cli.place, cwd: folder });
  t.after(async () => {
    await queue.close();
    try {
      await dismiss(folder);
      await cli.giveBack();
    } finally {
      removeFolder(folder);
    }
  });
  const fleet = new Fleet(cli, queue);
  await fleet.set(settings);
  return fleet;
}

export class Fleet {
  readonly cli: TestQueue;
  /** The same queue, seen from the process of the test. */
  readonly queue: Queue;

  constructor(cli: TestQueue, queue: Queue) {
    this.cli = cli;
    this.queue = queue;
  }

  async set(settings: Readonly<Record<string, string | number>>): Promise<void> {
    for (const [key, value] of Object.entries(settings)) await this.queue.setSetting(key, String(value));
  }

  /** Jobs run in the test's folder. */
  async add(...jobs: NewJobInput[]): Promise<Job[]> {
    return this.queue.enqueue(jobs);
  }

  async job(id: string): Promise<Job> {
    return this.queue.find(id);
  }

  history(id: string): Promise<Attempt[]> {
    return this.queue.history(id);
  }

  /** What became of each attempt, the running one as null. */
  async outcomes(id: string): Promise<(string | null)[]> {
    return (await this.history(id)).map(({ outcome }) => outcome);
  }

  untilState(id: string, state: JobState, deadlineMs?: number): Promise<Job> {
    return until(`${id} is ${state}`, () => this.when(id, (job) => job.state === state), deadlineMs);
  }

  untilFinal(id: string, deadlineMs?: number): Promise<Job> {
    return until(`${id} is final`, () => this.when(id, (job) => isFinal(job.state)), deadlineMs);
  }

  async count(state: JobState): Promise<number> {
    const { queues } = await this.queue.overview();
    return queues.reduce((sum, { counts }) => sum + counts[state], 0);
  }

  /** A worker in the foreground, ready for work. */
  worker(...args: string[]): Promise<ForegroundWorker> {
    return this.workerWith({}, ...args);
  }

  /** The same with more in its environment. */
  workerWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<ForegroundWorker> {
    return this.ready(this.cli.start(['worker', 'run', ...args], { env }));
  }

  /** The same in a control group of its own, where the system gives it one. */
  delegatedWorker(...args: string[]): Promise<ForegroundWorker> {
    return this.ready(this.cli.start(['worker', 'run', ...args], { through: delegating() ?? [] }));
  }

  private async ready(started: Started): Promise<ForegroundWorker> {
    const { id } = await until('the worker is registered', () => this.registered(started.pid));
    return { ...started, id };
  }

  /** Workers in the background, by `worker start`. */
  start(...args: string[]): Promise<FleetWorker[]> {
    return this.cli.json<(Document & FleetWorker)[]>('worker', 'start', ...args);
  }

  async workerOf(id: string): Promise<WorkerView | undefined> {
    return (await this.queue.workers()).find((worker) => worker.id === id);
  }

  /** Stops a worker where it stands, but not where it has the database locked, as nobody could do anything then. */
  async freeze(worker: FleetWorker): Promise<void> {
    await until('it is frozen', async () => {
      send(worker.pid, 'SIGSTOP');
      await until('it stands still', () => stateOf(worker.pid) === 'T');
      if (this.canWrite()) return true;
      send(worker.pid, 'SIGCONT');
      return false;
    });
  }

  path(name: string): string {
    return path.join(this.cli.folder, name);
  }

  /** The lines of a file that jobs write to. */
  lines(name: string): string[] {
    const text = fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), 'utf8') : '';
    return text.split('\n').slice(0, -1);
  }

  untilLines(name: string, count: number, deadlineMs?: number): Promise<string[]> {
    const look = (): string[] | null => (this.lines(name).length >= count ? this.lines(name) : null);
    return until(`${count} lines in ${name}`, look, deadlineMs) as Promise<string[]>;
  }

  /** The whole log of an attempt, its markers included. */
  async log(id: string, run = 1): Promise<string> {
    const attempt = (await this.history(id)).find((one) => one.run === run);
    assert.ok(attempt, `${id} has not run`);
    return logOf(this.queue, await this.job(id), attempt);
  }

  /** What the job itself wrote in its last run or this one, without the newline at its end. */
  async output(id: string, run?: number): Promise<string> {
    const history = await this.history(id);
    const attempt = run === undefined ? history.at(-1) : history.find((one) => one.run === run);
    assert.ok(attempt, `${id} has not run`);
    return (await logOf(this.queue, await this.job(id), attempt, true)).replace(/\n$/, '');
  }

  /** A change that no command makes, as a crash or another machine would leave it. */
  tamper(sql: string, ...values: (string | number | null)[]): void {
    this.write(5000, sql, values);
  }

  /** Everything that runs on this queue: workers, jobs, commands. */
  processes(): string[] {
    return processesWith(this.cli.folder).map(({ command }) => command);
  }

  private write(timeout: number, sql: string, values: readonly (string | number | null)[]): void {
    const db = new DatabaseSync(this.cli.db, { timeout });
    try {
      db.prepare(sql).run(...values);
    } finally {
      db.close();
    }
  }

  private canWrite(): boolean {
    try {
      this.write(100, 'UPDATE settings SET key = key', []);
      return true;
    } catch {
      return false;
    }
  }

  private async when(id: string, holds: (job: Job) => boolean): Promise<Job | null> {
    const job = await this.job(id);
    return holds(job) ? job : null;
  }

  private async registered(pid: number): Promise<WorkerView | undefined> {
    assert.ok(isAlive(pid), 'the worker has ended');
    return (await this.queue.workers()).find((worker) => worker.pid === pid);
  }
}

/** The log of an attempt as `logs` shows it, or just what the job wrote. */
export async function logOf(queue: Queue, job: Job, attempt: Attempt, raw = false): Promise<string> {
  const chunks: Buffer[] = [];
  const view = { raw, timestamps: false, stream: null };
  const text = new LogText(view, (chunk) => chunks.push(Buffer.from(chunk as string)));
  await show(await queue.outputOf(job, attempt), job.command, text);
  return Buffer.concat(chunks).toString();
}

/** The letter that the kernel gives to what a process does: T for stopped. */
function stateOf(pid: number): string | undefined {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0];
}

/** Has the workers leave at once, jobs and all, and sees that nothing is left. */
export async function dismiss(folder: string): Promise<void> {
  for (const { pid, command } of processesWith(folder)) {
    if (!command.includes('worker run')) continue;
    for (const signal of ['SIGCONT', 'SIGTERM', 'SIGINT'] as const) send(pid, signal);
  }
  const left = await leftAfter(folder, LEAVE_WITHIN_MS);
  for (const { pid } of left) send(pid, 'SIGKILL');
  assert.deepEqual(
    left.map(({ command }) => command),
    [],
    'processes were left behind',
  );
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone by itself.
  }
}
