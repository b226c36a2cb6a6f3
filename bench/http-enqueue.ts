// Measures enqueueing over HTTP: in batches, compared with the store's bulk rate, and one by one, compared with bare
// servers that store nothing. Reports elapsed time and the server's CPU time, which other load does not affect.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Job } from '../src/job/job.ts';
import { jobToJson } from '../src/job/wire.ts';
import type { Queue } from '../src/queue/queue.ts';
import { cpuMsSoFar, ECHOES, type EchoKind, serveEcho } from './http-echo.ts';
import { type Places, serve } from './http-lists.ts';
import { median, root } from './measure.ts';
import { atLeast, atMost, perSecond, type Row, us } from './row.ts';

const CONNECTIONS = 32;
const BATCH = 100;
const SECONDS = 2;
const ROUNDS = 5;
const BULK = 100_000;

const job = { command: 'echo hello', queue: 'mail', priority: 3 };

interface Served {
  readonly url: string;
  readonly token: string;
  cpuMs(): Promise<number>;
}

interface Load {
  readonly perSecond: number;
  /** CPU time of the server per request. */
  readonly cpuUs: number;
}

export async function compareEnqueue({ prefix, open }: Places, say: (line: string) => void): Promise<Row[]> {
  const queue = await open('enqueue');
  const { url, token, close } = await serve(queue);
  const own: Served = { url: `${url}/api/v1/jobs`, token, cpuMs: async () => cpuMsSoFar() };
  const [like] = await queue.enqueue([job]);
  const echoes = await Promise.all(ECHOES.map((kind) => serveEcho(kind, jobToJson(like as Job))));
  const loads = { bulk: [] as number[], batches: [] as Load[], own: [] as Load[] };
  const bare = echoes.map((): Load[] => []);
  for (let round = 1; round <= ROUNDS; round++) {
    say(`enqueue, round ${round} of ${ROUNDS}`);
    loads.bulk.push(await bulkRate(queue));
    loads.batches.push(
      await loadOf(
        own,
        Array.from({ length: BATCH }, () => job),
      ),
    );
    loads.own.push(await loadOf(own, job));
    for (const [i, echo] of echoes.entries()) bare[i]?.push(await loadOf({ ...echo, token: '' }, job));
  }
  for (const echo of echoes) echo.close();
  await close();
  await queue.close();
  return [
    batchRow(prefix, BATCH * rateOf(loads.batches), median(loads.bulk)),
    ...ECHOES.flatMap((kind, i) => singleRows(prefix, kind, loads.own, bare[i] ?? [])),
  ];
}

const rateOf = (loads: readonly Load[]): number => median(loads.map((load) => load.perSecond));
const cpuOf = (loads: readonly Load[]): number => median(loads.map(({ cpuUs }) => cpuUs));

const batchRow = (prefix: string, batches: number, bulk: number): Row => ({
  measure: `${prefix}jobs over HTTP, ${CONNECTIONS} connections, ${BATCH} a request`,
  against: 'staged in bulk without HTTP',
  ours: perSecond(batches),
  theirs: perSecond(bulk),
  ...atLeast(batches / bulk, 0.3),
});

function singleRows(prefix: string, kind: EchoKind, own: readonly Load[], bare: readonly Load[]): Row[] {
  const measure = `${prefix}jobs over HTTP, ${CONNECTIONS} connections, one a request`;
  const against = `a bare hono server that answers a job, ${OPPONENTS[kind]}`;
  return [
    {
      ...{ measure, against, ours: perSecond(rateOf(own)), theirs: perSecond(rateOf(bare)) },
      ...atLeast(rateOf(own) / rateOf(bare), 0.5),
    },
    {
      ...{ measure: `${measure}, CPU of the server`, against, ours: us(cpuOf(own)), theirs: us(cpuOf(bare)) },
      ...atMost(cpuOf(own) / cpuOf(bare), 2),
    },
  ];
}

const OPPONENTS: Readonly<Record<EchoKind, string>> = {
  plain: 'with the Response of the process',
  usual: 'as it comes',
};

async function bulkRate(queue: Queue): Promise<number> {
  const { read, stage } = await queue.intake();
  const startedAt = performance.now();
  const staging = await stage();
  for (let done = 0; done < BULK; done += 1000) await staging.add(Array.from({ length: 1000 }, () => read(job)));
  await staging.commit();
  await staging.discard();
  return (BULK / (performance.now() - startedAt)) * 1000;
}

async function loadOf({ url, token, cpuMs }: Served, body: unknown): Promise<Load> {
  const args = [url, token, CONNECTIONS, SECONDS].map(String);
  const script = join(root, 'bench', 'http-load.ts');
  const cpuBefore = await cpuMs();
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, JSON.stringify(body)]);
  const { perSecond, answered } = JSON.parse(stdout) as { perSecond: number; answered: number };
  return { perSecond, cpuUs: (((await cpuMs()) - cpuBefore) / answered) * 1000 };
}
