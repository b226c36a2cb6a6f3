// A server on a queue of its own, in this process, on a free port of the loopback address; and a client with its token.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pageIn } from '../../src/server/http/built-page.ts';
import { Queue } from '../../src/queue/queue.ts';
import { type ServeOptions, serveQueue } from '../../src/server/serve.ts';
import { checkAnswer } from './answers.ts';
import { temporaryFolder } from '../support/folder.ts';
import { makeQueueFile } from '../support/new-queue-file.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, whatever it is. */
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at is what it is about
  readonly json: any;
}

export interface TestServer {
  readonly queue: Queue;
  readonly url: string;
  readonly token: string;
  /** What the server said about its own mistakes: most tests want none. */
  readonly log: readonly string[];
  /** Before the test has ended. */
  stop(): Promise<void>;
  /** As the owner, below /api/v1, with a body as JSON if one is given. The answer is what the document says, or this fails. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

export interface TestServerOptions extends Partial<ServeOptions> {
  /** Default: a file in a folder of its own. */
  readonly db?: string;
  /** Of the shell that the server was started in. */
  readonly environment?: NodeJS.ProcessEnv;
}

export async function startServer(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const folder = temporaryFolder(t);
  const { db = `${folder}/queue.db`, environment: shellEnvironment = null, ...more } = options;
  if (options.db === undefined) await makeQueueFile(db);
  const queue = await Queue.open({ db, environment: { QUEUECTL_HOME: folder }, shellEnvironment });
  const log: string[] = [];
  const serving = await serveQueue(queue, {
    host: '127.0.0.1',
    port: 0,
    page: pageIn(join(import.meta.dirname, '../../dist/page')),
    version: 'test',
    log: (line) => log.push(line),
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopped ??= serving.close(0).then(() => queue.close());
    return stopped;
  };
  t.after(stop);
  const token = serving.address.split('#token=')[1] ?? '';
  return {
    queue,
    url: serving.url,
    token,
    log,
    stop,
    ask: async (method, path, body, headers = {}) => {
      const response = await fetch(`${serving.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const { status, headers: answered } = response;
      const json = text === '' ? null : JSON.parse(text);
      checkAnswer(method, path, status, answered.get('content-type'), json);
      return { status, headers: answered, json };
    },
  };
}

/** Asks with a token of this role. */
export async function asRole(server: TestServer, role: string) {
  const accounts = await server.queue.accounts();
  const { secret } = await accounts.addToken({ name: role, role, expires: undefined }, 'test');
  const headers = { authorization: `Bearer ${secret}` };
  return (method: string, path: string, body?: unknown): Promise<Answered> => server.ask(method, path, body, headers);
}
