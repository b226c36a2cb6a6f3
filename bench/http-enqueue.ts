// Jobs that come in over HTTP: in batches against the store's own bulk rate, and one by one against a server that only
// answers what it was sent.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Queue } from '../src/queue.ts';
import { type Places, serve } from './http-lists.ts';
import { median, root } from './measure.ts';
import { atLeast, perSecond, type Row } from './row.ts';

const CONNECTIONS = 32;
const BATCH = 100;
const SECONDS = 2;
const ROUNDS = 3;
const BULK = 100_000;

const job = { command: 'echo hello', queue: 'mail', priority: 3 };

export async function compareEnqueue({ prefix, open }: Places, say: (line: string) => void): Promise<Row[]> {
  const queue = await open('enqueue');
  const server = await serve(queue);
  const echo = await serveEcho();
  const rates = {
    bulk: [] as number[],
    batches: [] as number[],
    single: [] as number[],
    echo: [] as number[],
  };
  for (let round = 1; round <= ROUNDS; round++) {
    say(`enqueue, round ${round} of ${ROUNDS}`);
    rates.bulk.push(await bulkRate(queue));
    const batch = Array.from({ length: BATCH }, () => job);
    rates.batches.push(BATCH * (await load(`${server.url}/api/v1/jobs`, server.token, batch)));
    rates.single.push(await load(`${server.url}/api/v1/jobs`, server.token, job));
    rates.echo.push(await load(echo.url, '', job));
  }
  await Promise.all([server.close(), echo.close()]);
  await queue.close();
  const [batches, bulk, single, bare] = [rates.batches, rates.bulk, rates.single, rates.echo].map(median) as [
    number,
    number,
    number,
    number,
  ];
  return [
    {
      measure: `${prefix}jobs over HTTP, ${CONNECTIONS} connections, ${BATCH} a request`,
      against: 'staged in bulk without HTTP',
      ours: perSecond(batches),
      theirs: perSecond(bulk),
      ...atLeast(batches / bulk, 0.3),
    },
    {
      measure: `${prefix}jobs over HTTP, ${CONNECTIONS} connections, one a request`,
      against: 'a bare hono server that answers what it gets',
      ours: perSecond(single),
      theirs: perSecond(bare),
      ...atLeast(single / bare, 0.5),
    },
  ];
}

async function bulkRate(queue: Queue): Promise<number> {
  const { read, stage } = await queue.intake();
  const startedAt = performance.now();
  const staging = await stage();
  for (let done = 0; done < BULK; done += 1000)
    await staging.add(Array.from({ length: 1000 }, () => read(job)));
  await staging.commit();
  await staging.discard();
  return (BULK / (performance.now() - startedAt)) * 1000;
}

/** Requests a second. */
async function load(url: string, token: string, body: unknown): Promise<number> {
  const args = [url, token, CONNECTIONS, SECONDS].map(String);
  const script = join(root, 'bench', 'http-load.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, JSON.stringify(body)]);
  return Number(stdout);
}

async function serveEcho(): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono();
  app.post('/jobs', async (context) => context.json(await context.req.json(), 201));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${port}/jobs`, close };
}
