// A bare hono server that takes a job out of a request and answers it as ours would: what HTTP alone costs. Each runs in a
// process of its own, because the usual one puts other classes of Request and Response in the place of the process's own.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

/** usual: as hono comes. plain: with the Request and Response that the process has. */
export const ECHOES = ['usual', 'plain'] as const;
export type EchoKind = (typeof ECHOES)[number];

export interface Echo {
  readonly url: string;
  cpuMs(): Promise<number>;
  close(): void;
}

/** `job` is what it answers, with what the request says of it. */
export async function serveEcho(kind: EchoKind, job: object): Promise<Echo> {
  const child = fork(import.meta.filename, [kind, JSON.stringify(job)]);
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
  const [kind, job = '{}'] = process.argv.slice(2);
  const answered = JSON.parse(job);
  const app = new Hono();
  app.post('/jobs', async ({ req, json }) =>
    json({ jobs: [{ ...answered, ...(await req.json<object>()) }] }, 201),
  );
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: kind === 'usual' });
  const server = createServer(listener).listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jobs`),
  );
  process.on('message', () => process.send?.(cpuMsSoFar()));
}
