// Reaps children that Node does not manage. SIGCHLD triggers it; a slow timer covers missed signals and keeps the
// process alive while there are children.

import { constants } from 'node:os';
import type { Usage } from '../../job/usage.ts';
import { otherChildEnded } from './children-usage.ts';
import { type Exit, exitOf } from './exit.ts';
import { isNodeChild } from './node-children.ts';
import { ResourceUsage } from './resource-usage.ts';

/** Signatures of the C functions. */
export interface WaitCalls {
  /** Returns the PID of an exited child, or 0 while it runs. */
  readonly wait4: (pid: number, status: Buffer, options: number, usage: Buffer) => number;
  /** Reports an exited child without reaping it. */
  readonly waitid: (kind: number, id: number, info: Buffer, options: number) => number;
}

const DO_NOT_WAIT = 1;
const ANY_CHILD = 0;
const PEEK = 0x01000005; // WNOWAIT, WEXITED, WNOHANG
const INFO_BYTES = 128;
const PID_IN_INFO = 16;
const LOOK_MS = 1000;
const LOOK_AGAIN_MS = 5;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

export interface Ended {
  /** As reported by the system; null if unknown. */
  readonly status: number | null;
  readonly usage: Usage | null;
}

export class Reaper {
  private readonly calls: WaitCalls;
  /** True if every child belongs to a job or to Node, so that orphans are reaped too. */
  private readonly ownsAll: boolean;
  private readonly isStarting: () => boolean;
  private readonly status = Buffer.alloc(4);
  private readonly info = Buffer.alloc(INFO_BYTES);
  private readonly usage = new ResourceUsage();
  private readonly waiting = new Map<number, (ended: Ended) => void>();
  private timer: NodeJS.Timeout | undefined;
  private isListening = false;
  private isLooking = false;

  /** `isStarting` returns true if children may exist that are not registered yet. */
  constructor(calls: WaitCalls, ownsAll: boolean, isStarting: () => boolean) {
    this.calls = calls;
    this.ownsAll = ownsAll;
    this.isStarting = isStarting;
    if (ownsAll) this.listen();
  }

  endOf(pid: number): Promise<Ended> {
    if (this.waiting.size === 0) this.begin();
    this.lookSoon(); // it may have exited before the listener was added
    return new Promise((resolve) => this.waiting.set(pid, resolve));
  }

  private begin(): void {
    this.listen();
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Installed permanently: with short jobs it would be removed and added all the time. */
  private listen(): void {
    if (!this.isListening) process.on('SIGCHLD', () => this.lookSoon());
    this.isListening = true;
  }

  /** Combines simultaneous signals. */
  private lookSoon(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    setImmediate(() => {
      this.isLooking = false;
      this.look();
    });
  }

  private look(): void {
    if (this.ownsAll) this.reapAll();
    else this.reapKnown();
    if (this.waiting.size === 0) clearInterval(this.timer);
  }

  /** The cost depends on the number of exited children, unless one of them cannot be reaped yet. */
  private reapAll(): void {
    for (let pid = this.endedChild(); pid !== 0; pid = this.endedChild()) {
      if (this.mayReap(pid)) this.reap(pid);
      else {
        this.reapKnown();
        setTimeout(() => this.lookSoon(), LOOK_AGAIN_MS).unref();
        return;
      }
    }
  }

  private reapKnown(): void {
    for (const pid of this.waiting.keys()) this.reap(pid);
  }

  /** An unknown child is an orphan, unless it is being started and endOf() is about to be called for it. */
  private mayReap(pid: number): boolean {
    return this.waiting.has(pid) || (!isNodeChild(pid) && !this.isStarting());
  }

  /** Returns 0 if no child has exited. */
  private endedChild(): number {
    this.info.fill(0);
    const failed = this.calls.waitid(ANY_CHILD, 0, this.info, PEEK) !== 0;
    return failed ? 0 : this.info.readInt32LE(PID_IN_INFO);
  }

  private reap(pid: number): void {
    const answer = this.calls.wait4(pid, this.status, DO_NOT_WAIT, this.usage.buffer);
    if (answer === 0) return;
    otherChildEnded();
    const resolve = this.waiting.get(pid);
    this.waiting.delete(pid);
    if (answer !== pid) resolve?.({ status: null, usage: null });
    else resolve?.({ status: this.status.readInt32LE(), usage: this.usage.read() });
  }
}

export function exitIn({ status, usage }: Ended): Exit {
  if (status === null) return exitOf(null, null);
  const signal = status & 0x7f;
  if (signal === 0) return exitOf((status >> 8) & 0xff, null, usage);
  return exitOf(null, SIGNALS.get(signal) ?? `SIG${signal}`, usage);
}
