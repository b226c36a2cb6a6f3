// Starts commands in a separate thread with posix_spawn. Node's spawn copies the page tables of the whole process and
// blocks for about 1.3 ms per child, which halves the start rate. Available on 64-bit Linux with node:ffi.

import { getSystemErrorMessage, getSystemErrorName } from 'node:util';
import type { Worker as Thread } from 'node:worker_threads';
import { cFunctions } from '../../system/c-functions.ts';
import { type Direct, DirectStarts } from '../shell/direct-start.ts';
import { type KnownShell, knownShell } from '../shell/known-shell.ts';
import { askSystem, hostClockMs } from '../tree/host-clock.ts';
import { shellReport } from '../shell/waiting-shell.ts';
import type { Exit } from './exit.ts';
import { nodeSpawn } from './node-spawn.ts';
import { exitIn, Reaper, type WaitCalls } from './reaper.ts';
import { type StartReply, type StartRequest, spawnThread, THREAD_CALLS } from './spawn-thread.ts';
import type { Child, Start, Starter } from './start.ts';

/** Commands are started with Node's spawn until the thread is ready. */
export type PosixSpawnStarter = Starter & { readonly ready: Promise<void> };

/**
 * `ownsProcess`: every child of this process belongs to a job or to Node. Orphans of jobs are then reparented to this
 * process instead of to init, so that they can be stopped with their job.
 */
export function makePosixSpawn(ownsProcess = false): PosixSpawnStarter | null {
  const calls = callsOfSystem();
  if (calls === null) return null;
  askSystem(calls);
  if (ownsProcess) calls.prctl(SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n);
  const spawner = new PosixSpawn(calls, ownsProcess);
  return Object.assign((start: Start) => spawner.start(start), { ready: spawner.ready.promise });
}

/** True if makePosixSpawn() works here; does not create a thread. */
export const canStartInThread = (): boolean => callsOfSystem() !== null;

/** C functions that this thread calls. Those of the other thread are only looked up, to check that they exist. */
const OWN_CALLS = {
  wait4: { arguments: ['int32', 'buffer', 'int32', 'buffer'], return: 'int32' },
  waitid: { arguments: ['int32', 'int32', 'buffer', 'int32'], return: 'int32' },
  strsignal: { arguments: ['int32'], return: 'pointer' },
  prctl: { arguments: ['int32', 'uint64', 'uint64', 'uint64', 'uint64'], return: 'int32' },
} as const;

const callsOfSystem = () => cFunctions({ ...OWN_CALLS, ...THREAD_CALLS });

const SET_CHILD_SUBREAPER = 36;

/** Delay before a dead thread is replaced. */
const AGAIN_AFTER_MS = 5000;
/** Maximum number of prepared environments. */
const MOST_PREPARED = 64;

interface Calls extends WaitCalls {
  /** Returns a pointer to the name. */
  readonly strsignal: (signal: number) => bigint;
}

class PosixSpawn {
  readonly ready = Promise.withResolvers<void>();
  private readonly calls: Calls;
  private readonly reaper: Reaper;
  private readonly waiting = new Map<number, PromiseWithResolvers<StartReply>>();
  private thread: Thread | null = null;
  private madeAt = 0;
  private isReady = false;
  private tickets = 0;
  /** Keys of the prepared environments by object, least recently used first. */
  private readonly prepared = new Map<Start['inherited'], number>();
  private keys = 0;
  /** Null while unknown, and if the shell must run every command. */
  private direct: DirectStarts | null = null;
  private shell: KnownShell | null = null;
  private isShellChecked = false;

  constructor(calls: Calls, ownsProcess: boolean) {
    this.calls = calls;
    this.reaper = new Reaper(calls, ownsProcess, () => this.waiting.size > 0);
    this.makeThread();
  }

  /** Uses Node's spawn while there is no thread. */
  start(start: Start): Child {
    if (this.thread !== null && this.isReady) return this.startInThread(this.thread, start);
    if (this.thread === null && hostClockMs() - this.madeAt > AGAIN_AFTER_MS) this.makeThread();
    return nodeSpawn(start);
  }

  private startInThread(thread: Thread, { inherited, text, ...start }: Start): Child {
    const ticket = ++this.tickets;
    const reply = Promise.withResolvers<StartReply>();
    this.waiting.set(ticket, reply);
    thread.ref();
    const key = this.prepare(thread, inherited);
    const direct = text === undefined ? null : this.withoutShell(text, { inherited, ...start });
    thread.postMessage({ ...start, direct, ticket, inherited: key } satisfies StartRequest);
    const started = reply.promise;
    return { pid: started.then(({ pid }) => pid), exit: started.then((child) => this.exitOf(child)) };
  }

  private async exitOf({ pid, isDirect }: StartReply): Promise<Exit> {
    const ended = await this.reaper.endOf(pid);
    const exit = exitIn(ended);
    if (!isDirect || ended.status === null || !this.shell?.waits) return exit;
    const nameOf = (signal: number) =>
      process.getBuiltinModule('node:ffi').toString(this.calls.strsignal(signal)) ?? `Signal ${signal}`;
    return { ...exit, inShell: shellReport(ended.status, nameOf) };
  }

  private withoutShell(text: string, start: Start): Direct | null {
    if (!this.isShellChecked) void this.checkShell(start.program);
    return this.direct?.of(text, start) ?? null;
  }

  /** Until the answer is known, the shell runs every command. */
  private async checkShell(file: string): Promise<void> {
    this.isShellChecked = true;
    this.shell = await knownShell(file, process.env.PATH ?? '', (start) => this.start(start));
    this.direct = this.shell === null ? null : new DirectStarts(this.shell.name);
  }

  /** Sends variables once and refers to them by key afterwards, because they are most of the data to copy. */
  private prepare(thread: Thread, variables: Start['inherited']): number {
    const known = this.prepared.get(variables);
    const key = known ?? ++this.keys;
    this.prepared.delete(variables);
    this.prepared.set(variables, key);
    if (known === undefined) thread.postMessage({ prepare: key, variables } satisfies StartRequest);
    if (this.prepared.size > MOST_PREPARED) this.forgetOldest(thread);
    return key;
  }

  private forgetOldest(thread: Thread): void {
    const [[variables, key] = [null, 0]] = this.prepared;
    if (variables === null) return;
    this.prepared.delete(variables);
    thread.postMessage({ forget: key } satisfies StartRequest);
  }

  private makeThread(): void {
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    this.madeAt = hostClockMs();
    try {
      const thread = new Worker(`(${spawnThread})()`, {
        eval: true,
        execArgv: ['--disable-warning=ExperimentalWarning'],
        name: 'spawn',
        workerData: THREAD_CALLS,
      });
      thread.on('message', (reply: StartReply | 'ready') => this.hear(reply));
      thread.on('error', () => {}); // out of memory or files; an exit follows
      thread.once('exit', () => this.lose());
      thread.unref();
      this.thread = thread;
    } catch {
      this.thread = null;
    }
  }

  private hear(reply: StartReply | 'ready'): void {
    if (reply === 'ready') {
      this.isReady = true;
      this.ready.resolve();
      return;
    }
    const { ticket, error } = reply;
    const waiting = this.waiting.get(ticket);
    this.waiting.delete(ticket);
    if (this.waiting.size === 0) this.thread?.unref();
    if (error === 0) waiting?.resolve(reply);
    else waiting?.reject(systemError(error));
  }

  /** Requeues unconfirmed starts. If one did happen, it is found by its mark. */
  private lose(): void {
    this.thread = null;
    this.isReady = false;
    this.prepared.clear();
    for (const { reject } of this.waiting.values()) reject(systemError(EAGAIN));
    this.waiting.clear();
  }
}

const EAGAIN = 11;

function systemError(number: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(-number);
  return Object.assign(new Error(`${code}: ${getSystemErrorMessage(-number)}`), { code });
}
