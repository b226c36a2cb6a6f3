// A queue with its server, and a laptop that has no access to it but by the server's address and a token.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../support/until.ts';
import { needsNoProcess } from './in-process.ts';
import { newQueue, rejectionOf, type Result, type Started, type TestQueue } from './support.ts';

export interface Server {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function serve(queue: TestQueue, ...args: string[]): Promise<Server> {
  const started = queue.start(['serve', ...args]);
  const address = await until('it says where it is', () => started.stdout().trimEnd());
  const [url = '', token = ''] = address.split('/#token=');
  const stop = async (): Promise<void> => {
    started.kill('SIGTERM');
    await started.ended;
  };
  return { url, token, stop };
}

/** A folder that knows nothing but the address and the token. */
export class Laptop {
  readonly queue: TestQueue;
  private readonly env: Record<string, string | undefined>;

  constructor(queue: TestQueue, { url, token }: Pick<Server, 'url' | 'token'>) {
    this.queue = queue;
    this.env = { QUEUECTL_SERVER: url, QUEUECTL_TOKEN: token, QUEUECTL_DB: undefined };
  }

  start(args: readonly string[], env: Record<string, string | undefined> = {}): Started {
    return this.queue.start(args, { env: { ...this.env, ...env } });
  }

  run(args: readonly string[], input?: string): Promise<Result> {
    if (input !== undefined) return this.queue.run(args, { env: this.env, input });
    return needsNoProcess(args, 'over HTTP') ? this.queue.inProcess(args, this.env) : this.start(args).ended;
  }

  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at is what it is about
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.text(...args, '--json'));
  }

  async rejected(code: number, args: readonly string[], env: Record<string, string | undefined> = {}) {
    const isAsUsual = Object.keys(env).length === 0;
    return rejectionOf(code, args, await (isAsUsual ? this.run(args) : this.start(args, env).ended));
  }
}

export interface Both {
  readonly there: TestQueue;
  readonly here: TestQueue;
  readonly server: Server;
  readonly laptop: Laptop;
}

/** A queue with its server, and a laptop that knows of it. */
export async function both(t: TestContext, ...args: string[]): Promise<Both> {
  let stop = async (): Promise<void> => {};
  t.after(() => stop()); // before anybody looks for what was left behind
  const [there, here] = [newQueue(t), newQueue(t)];
  const server = await serve(there, '--port', '0', ...args);
  stop = server.stop;
  return { there, here, server, laptop: new Laptop(here, server) };
}
