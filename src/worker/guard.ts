// Where hosts share a store, nobody elsewhere can end what a dead or frozen worker left running, and its jobs run again
// when its lease is over. So beside each worker stands a process that does nothing but end its jobs in that case: when
// the worker is gone without a word, or when its lease is about to end and it has not said that it was renewed.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { monotonicMs } from '../process/start.ts';
import { endTree, treeOf } from '../process/tree.ts';

const LOOK_MS = 50;
const LEAVE_WITHIN_MS = 2000;
const AGAIN_AFTER_MS = 1000;

/** What a worker tells its guard, a line each: one letter, then what it is about. */
const TELL = { begins: '+', ended: '-', sureUntil: '=', leaves: '.' } as const;

/** The worker's side. A guard that dies is replaced. */
export class Guard {
  private readonly args: readonly string[];
  private readonly running = new Set<string>();
  private sureUntilMs = Number.POSITIVE_INFINITY;
  private child: ChildProcess | null = null;
  private hasLeft = false;

  /** `args` make this program a guard. */
  constructor(args: readonly string[]) {
    this.args = args;
    this.post();
  }

  /** Before it is started: one that nobody knows of could outlive us. */
  begins(jobId: string): void {
    this.running.add(jobId);
    this.tell(TELL.begins, jobId);
  }

  ended(jobId: string): void {
    this.running.delete(jobId);
    this.tell(TELL.ended, jobId);
  }

  /** By monotonicMs(), which is the same in all processes of a host. */
  sureUntil(ms: number): void {
    this.sureUntilMs = ms;
    this.tell(TELL.sureUntil, ms);
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
    const { child } = this;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    this.tell(TELL.leaves, '');
    child.stdin?.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  }

  private post(): void {
    const child = spawn(process.execPath, this.args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    this.child = child;
    child.on('error', () => {}); // out of processes: seen as an exit
    child.stdin?.on('error', () => {});
    child.once('close', () => {
      this.child = null;
      if (!this.hasLeft) setTimeout(() => this.hasLeft || this.post(), AGAIN_AFTER_MS).unref();
    });
    if (Number.isFinite(this.sureUntilMs)) this.tell(TELL.sureUntil, this.sureUntilMs);
    for (const jobId of this.running) this.tell(TELL.begins, jobId);
  }

  private tell(what: string, about: string | number): void {
    this.child?.stdin?.write(`${what}${about}\n`);
  }
}

/** The guard's side: until the worker has left or is gone. */
export async function standGuard(workerId: string, graceMs: number, words: Readable): Promise<void> {
  const { createInterface } = await import('node:readline'); // workers themselves do not need it
  const running = new Set<string>();
  let sureUntilMs = Number.POSITIVE_INFINITY;
  let hasLeft = false;
  const endAll = async (): Promise<void> => {
    const jobs = [...running];
    running.clear();
    await Promise.all(jobs.map((id) => endTree(treeOf(id, workerId, null), graceMs)));
  };
  const timer = setInterval(() => {
    if (monotonicMs() > sureUntilMs) void endAll();
  }, LOOK_MS);
  for await (const line of createInterface({ input: words })) {
    const about = line.slice(1);
    if (line.startsWith(TELL.begins)) running.add(about);
    else if (line.startsWith(TELL.ended)) running.delete(about);
    else if (line.startsWith(TELL.sureUntil)) sureUntilMs = Number(about);
    else if (line.startsWith(TELL.leaves)) hasLeft = true;
  }
  clearInterval(timer);
  if (!hasLeft) await endAll();
}
