// The temporary queue of the demo. Runs the real program on it. All processes that are started here have the path of
// the queue in their environment, by which they are found and terminated.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allPids, hasEnvironment } from '../../process/tree/proc.ts';
import { thisProgram } from '../program-path.ts';

export interface Answer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands of the demo take less than a quarter of this. */
const LONGEST_COMMAND_MS = 20_000;
const GRACE_MS = 1000;
const LOOK_AGAIN_MS = 25;

export class Stage {
  private readonly folder: string;
  private readonly db: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly interrupt: AbortSignal;

  /** `interrupt` terminates the running command. */
  constructor(environment: NodeJS.ProcessEnv, interrupt: AbortSignal) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'queuectl-demo-')));
    this.db = join(this.folder, 'queue.db');
    this.environment = { ...withoutOwnQueue(environment), QUEUECTL_DB: this.db };
    this.interrupt = interrupt;
  }

  /** Runs `queuectl` with these arguments in the temporary directory. */
  async run(args: readonly string[]): Promise<Answer> {
    const patience = AbortSignal.timeout(LONGEST_COMMAND_MS);
    try {
      return await this.start(args, AbortSignal.any([this.interrupt, patience]));
    } catch (error) {
      if (!patience.aborted) throw error;
      throw new Error(`queuectl ${args.join(' ')} did not finish within ${LONGEST_COMMAND_MS / 1000} s`);
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Terminates remaining processes and deletes the directory. */
  async clear(graceMs = GRACE_MS): Promise<void> {
    // Only Linux shows the environment of a process.
    if (process.platform !== 'linux') await this.start(['worker', 'stop', '--force', '--timeout', '5s']);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) await this.endProcesses(signal, graceMs);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async endProcesses(signal: NodeJS.Signals, withinMs: number): Promise<void> {
    const left = (): number[] =>
      allPids().filter((pid) => pid !== process.pid && hasEnvironment(pid, { QUEUECTL_DB: this.db }));
    const deadline = performance.now() + withinMs;
    for (const pid of left()) send(pid, signal);
    while (left().length > 0 && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
  }

  private start(args: readonly string[], signal?: AbortSignal): Promise<Answer> {
    const child = spawn(process.execPath, thisProgram(...args), {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    });
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

/** The demo ignores the queue and settings of the user. */
const withoutOwnQueue = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('QUEUECTL_')));
