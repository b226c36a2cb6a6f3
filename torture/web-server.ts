// The HTTP server of an arena, started on demand, and restarted on the same port after it was killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { addressOf } from '../src/library/http.ts';

export interface WebAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Running {
  readonly process: ChildProcess;
  readonly address: Promise<WebAddress>;
}

export class WebServer {
  private readonly program: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly log: number;
  private running: Running | null = null;
  private port = '0';
  private closed = false;

  constructor(program: string, environment: NodeJS.ProcessEnv, log: number) {
    this.program = program;
    this.environment = environment;
    this.log = log;
  }

  /** Throws if the server cannot start now. */
  async address(): Promise<WebAddress> {
    if (this.closed) throw new Error('the server was stopped');
    this.running ??= this.start();
    return this.running.address;
  }

  async kill(): Promise<void> {
    const process = this.running?.process;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, 'exit');
    process.kill('SIGCONT');
    process.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    this.closed = true;
    await this.kill();
  }

  private start(): Running {
    const child = spawn(process.execPath, [this.program, 'serve', '--port', this.port], {
      env: this.environment,
      stdio: ['ignore', 'pipe', this.log],
    });
    child.once('exit', () => {
      this.running = null;
    });
    const address = this.read(child);
    address.catch(() => {}); // reported to waiting callers
    return { process: child, address };
  }

  private async read(child: ChildProcess): Promise<WebAddress> {
    let text = '';
    for await (const part of child.stdout ?? []) {
      text += part;
      if (text.includes('\n')) break;
    }
    child.stdout?.resume();
    const { url, token } = addressOf(text.trim().split('\n')[0] ?? '');
    this.port = new URL(url).port;
    return { url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
  }
}
