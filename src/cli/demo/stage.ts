// The throw-away queue that the demo plays on, and the real program run on it as a user would.
// Everything started here carries the queue's path in its environment: by that it is found again and ended.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endTree } from '../../process/tree.ts';

export interface Answer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** No command of the demo takes a tenth of this; one that does hangs. */
const LONGEST_COMMAND_MS = 30_000;
const GRACE_MS = 1000;

export class Stage {
  readonly folder: string;
  private readonly db: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly signal: AbortSignal;

  /** The signal ends whatever runs. */
  constructor(environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'queuectl-demo-')));
    this.db = join(this.folder, 'queue.db');
    this.environment = { ...withoutOwnQueue(environment), QUEUECTL_DB: this.db };
    this.signal = signal;
  }

  /** Runs `queuectl` with these arguments, in the folder. */
  run(args: readonly string[]): Promise<Answer> {
    return this.start(process.execPath, [...process.execArgv, process.argv[1] ?? '', ...args]);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Ends what is left and removes the folder; a worker may still write to it until its end. */
  async clear(graceMs = GRACE_MS): Promise<void> {
    await endTree({ leader: null, mark: { QUEUECTL_DB: this.db } }, graceMs);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private start(program: string, args: readonly string[]): Promise<Answer> {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([this.signal, AbortSignal.timeout(LONGEST_COMMAND_MS)]),
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

/** The user's own queue and settings are none of the demo's business. */
const withoutOwnQueue = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('QUEUECTL_')));
