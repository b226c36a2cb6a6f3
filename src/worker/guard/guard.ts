// The worker's side of its guard: a process that stops the worker's jobs if the worker disappears or stalls until its
// lease is about to end. Needed where no other process could stop them: if hosts share a store, or containers share a
// file.

import { type ChildProcess, spawn } from 'node:child_process';
import { waitedForByNode } from '../../process/spawn/node-children.ts';
import { type Leader, NO_LEASE } from '../../process/tree/tree.ts';
import { GUARD_LINES } from './guard-lines.ts';

const LEAVE_WITHIN_MS = 2000;
const AGAIN_AFTER_MS = 1000;

/** How long the worker's jobs are certainly its own. Sent with each heartbeat, because settings may change. */
export interface LeaseTerms {
  /** Time by hostClockMs(). */
  readonly untilMs: number;
  /** Time between TERM and KILL. */
  readonly graceMs: number;
  /** Extra time for the worker after the guard itself was stalled, because then the whole machine was. */
  readonly patienceMs: number;
}

/** Restarts the guard process if it dies. */
export class Guard {
  private readonly args: readonly string[];
  private readonly running = new Map<string, Leader | null>();
  private terms: LeaseTerms | null = null;
  private child: ChildProcess | null = null;
  private hasLeft = false;

  /** `args` run this program as a guard. */
  constructor(args: readonly string[], workerId: string) {
    this.args = [...args, workerId];
    this.post();
  }

  /** Called before the start, because a job unknown to the guard could outlive the worker. */
  begins(lease: string): void {
    this.running.set(lease, null);
    this.tell(GUARD_LINES.begins, lease);
  }

  /** Adds the PID, because a job can remove its mark but not its PID. */
  started(lease: string, { pid, startedAt }: Leader): void {
    if (!this.running.has(lease)) return;
    this.running.set(lease, { pid, startedAt });
    this.tell(GUARD_LINES.started, `${lease} ${pid} ${startedAt ?? ''}`);
  }

  ended(lease: string): void {
    this.running.delete(lease);
    this.tell(GUARD_LINES.ended, lease);
  }

  sureUntil(terms: LeaseTerms): void {
    this.terms = terms;
    this.tell(GUARD_LINES.sureUntil, `${terms.untilMs} ${terms.graceMs} ${terms.patienceMs}`);
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
    const { child } = this;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    this.tell(GUARD_LINES.leaves, '');
    child.stdin?.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), LEAVE_WITHIN_MS);
    await gone;
    clearTimeout(timer);
  }

  private post(): void {
    const child = spawn(process.execPath, this.args, {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...NO_LEASE },
    });
    this.child = waitedForByNode(child);
    child.on('error', () => {}); // out of processes: handled as an exit
    child.stdin?.on('error', () => {});
    child.once('close', () => {
      this.child = null;
      if (!this.hasLeft) setTimeout(() => this.hasLeft || this.post(), AGAIN_AFTER_MS).unref();
    });
    if (this.terms) this.sureUntil(this.terms);
    for (const [lease, leader] of this.running) {
      this.tell(GUARD_LINES.begins, lease);
      if (leader) this.started(lease, leader);
    }
  }

  private tell(what: string, about: string): void {
    this.child?.stdin?.write(`${what}${about}\n`);
  }
}
