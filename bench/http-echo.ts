// A bare hono server that parses a job from a request and returns it like queuectl: the cost of HTTP alone. Runs in
// a separate process, because hono's default adapter replaces the global Request and Response classes.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

export interface Echo {
  readonly url: string;
  cpuMs(): Promise<number>;
  close(): void;
}

/** `job` is the response template. */
export async function serveEcho(job: object): Promise<Echo> {
  const child = fork(import.meta.filename, [JSON.stringify(job)]);
  const [url] = await once(child, 'message');
  const cpuMs = async (): Promise<number> => {
    child.send('cpu');
    const [ms] = await once(child, 'message');
    return ms;
  };
  return { url, cpuMs, close: () => void child.kill() };
}

export const cpuMsSoFar = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

if (import.meta.main) {
  const answered = JSON.parse(process.argv[2] ?? '{}');
  const app = new Hono();
  app.post('/jobs', async ({ req, json }) => json({ jobs: [{ ...answered, ...(await req.json<object>()) }] }, 201));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false })).listen(
    0,
    '127.0.0.1',
    () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`),
  );
  process.on('message', () => process.send?.(cpuMsSoFar()));
}
