// Measures the server: one page for every filter from a small and a large queue, and enqueueing in batches, compared with
// the bulk rate of the store, and one by one, compared with a server that stores nothing.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Job } from '../../src/job/job.ts';
import { jobToJson } from '../../src/job/wire.ts';
import { cpuMsSoFar, serveEcho } from '../http-echo.ts';
import { elapsed, rate, root } from '../measure.ts';
import { add } from '../no-op.ts';
import { atLeast, atMost, count, type Kit, onBoth, type Row } from '../row.ts';
import { FEW, filled, MANY, type Served, serving } from '../served.ts';

const CONNECTIONS = 32;
const BATCH = 100;
const SECONDS = 2;
const BULK = 100_000;
const job = { command: 'echo hello', queue: 'mail', priority: 3 };

/** Each except the last ones fills a page, even in the small queue. */
const FILTERS: readonly (readonly [measure: string, query: string])[] = [
  ['the newest', ''],
  ['state:dead', 'filter=state:dead'],
  ['queue:q3', 'filter=queue:q3'],
  ['state:pending queue:q3', 'filter=state:pending queue:q3'],
  ['group:g1', 'filter=group:g1'],
  ['tag:t1', 'filter=tag:t1'],
  ['key:k1', 'filter=key:k1'],
  ['name:n1', 'filter=name:n1'],
  ['held:yes', 'filter=held:yes'],
  ['id:job-0', 'filter=id:job-0'],
  ['error:paper', 'filter=error:paper'],
  ['newer:1h', 'filter=newer:1h'],
  ['a text that every 10th job has', 'filter=tenth'],
  ['state:pending tag:t1 and a text', 'filter=state:pending tag:t1 tenth'],
  ['a text that one job has', 'filter=needle'],
  ['older:1h, which none is', 'filter=older:1h'],
];

interface Loaded extends Pick<Served, 'url' | 'token'> {
  cpuMs(): number | Promise<number>;
}

interface Load {
  readonly perSecond: number;
  /** CPU time of the server per request. */
  readonly cpuUs: number;
}

export const benches = [
  ...onBoth('http', 'enqueue over HTTP', enqueue),
  ...onBoth('http-lists', 'pages of jobs over HTTP, for every filter', async function* (kit) {
    const queues = [await filled(kit, 'few', FEW), await filled(kit, 'many', MANY)];
    yield* serving(queues, (few, many) => lists(kit, few as Served, many as Served));
  }),
];

async function* lists({ prefix }: Kit, few: Served, many: Served): AsyncIterable<Row> {
  for (const [measure, query] of FILTERS) {
    const path = `/jobs?limit=50&${encodeURI(query)}`;
    yield {
      measure: `${prefix}GET /jobs, ${measure}, with ${count(MANY)} jobs`,
      against: `with ${count(FEW)}`,
      unit: 'ms',
      target: atMost(1.5),
      samples: 12,
      ours: () => elapsed(() => get(many, path)),
      peer: () => elapsed(() => get(few, path)),
    };
  }
}

async function get({ url, token }: Served, path: string): Promise<unknown> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function* enqueue(kit: Kit): AsyncIterable<Row> {
  const queue = await kit.open('enqueue');
  const [like] = await queue.enqueue([job]);
  const batch = Array.from({ length: BATCH }, () => job);
  const echo = await serveEcho(jobToJson(like as Job));
  yield* serving([queue], async function* (served) {
    const own: Loaded = { url: `${served?.url}/api/v1/jobs`, token: served?.token ?? '', cpuMs: cpuMsSoFar };
    const bare: Loaded = { ...echo, token: '' };
    const load = (one: Loaded, part: keyof Load) => async () => (await loadOf(one, job))[part];
    const measure = `${kit.prefix}jobs over HTTP, ${CONNECTIONS} connections, one a request`;
    const against = 'a hono server that stores nothing';
    yield {
      measure: `${kit.prefix}jobs over HTTP, ${CONNECTIONS} connections, ${BATCH} a request`,
      against: 'staged in bulk without HTTP',
      unit: '/s',
      target: atLeast(0.3),
      durable: 'both',
      ours: async () => BATCH * (await loadOf(own, batch)).perSecond,
      peer: () =>
        rate(BULK, () =>
          add(
            queue,
            BULK,
            {},
            () => {},
            () => job,
          ),
        ),
    };
    const rows = { measure, against, durable: 'ours' } as const;
    const [ours, peer] = [load(own, 'perSecond'), load(bare, 'perSecond')];
    yield { ...rows, unit: '/s', target: atLeast(0.5), ours, peer };
    const cpu = { ours: load(own, 'cpuUs'), peer: load(bare, 'cpuUs') };
    yield { ...rows, measure: `${measure}, CPU of the server`, unit: 'us', target: atMost(2), ...cpu };
  });
  echo.close();
}

async function loadOf({ url, token, cpuMs }: Loaded, body: unknown): Promise<Load> {
  const args = [url, token, CONNECTIONS, SECONDS].map(String);
  const script = join(root, 'bench', 'http-load.ts');
  const cpuBefore = await cpuMs();
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, JSON.stringify(body)]);
  const { perSecond, answered } = JSON.parse(stdout) as { perSecond: number; answered: number };
  return { perSecond, cpuUs: (((await cpuMs()) - cpuBefore) / answered) * 1000 };
}
