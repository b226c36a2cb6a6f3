// Compares lists over HTTP from a small and a large queue, taking turns: one page for every filter.

import { join } from 'node:path';
import { pageIn } from '../src/server/http/built-page.ts';
import type { Queue } from '../src/queue/queue.ts';
import { serveQueue } from '../src/server/serve.ts';
import type { Store } from '../src/store/store.ts';
import { plainWorker } from '../test/support/workers.ts';
import { root, takeTurns } from './measure.ts';
import { failed, turn, worker } from './no-op.ts';
import { atMost, ms, type Row } from './row.ts';

export const FEW = 1000;
export const MANY = 1_000_000;
const ROUNDS = 60;
const LIMIT = 1.5;

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

export interface Places {
  /** Prefix of each measure. */
  readonly prefix: string;
  readonly open: (name: string) => Promise<Queue>;
}

type Get = (path: string) => Promise<unknown>;

export async function compareLists({ prefix, open }: Places, say: (line: string) => void): Promise<Row[]> {
  const few = await served(await open('few'), FEW, say);
  const many = await served(await open('many'), MANY, say);
  const rows: Row[] = [];
  for (const [measure, query] of FILTERS) {
    say(measure);
    const path = `/jobs?limit=50&${encodeURI(query)}`;
    const times = await takeTurns(ROUNDS, { few: () => few.get(path), many: () => many.get(path) });
    rows.push({
      measure: `${prefix}GET /jobs, ${measure}, with ${MANY.toLocaleString('en-US')} jobs`,
      against: `with ${FEW.toLocaleString('en-US')}`,
      ours: ms(times.many),
      theirs: ms(times.few),
      ...atMost(times.many / times.few, LIMIT),
    });
  }
  await Promise.all([few.close(), many.close()]);
  return rows;
}

export async function serve(queue: Queue): Promise<{ url: string; token: string; close(): Promise<void> }> {
  const page = pageIn(join(root, 'dist', 'page'));
  const options = { host: '127.0.0.1', port: 0, page, version: 'bench', log: () => {} };
  const { url, address, close } = await serveQueue(queue, options);
  return { url, token: address.split('#token=')[1] ?? '', close: () => close(0) };
}

async function served(queue: Queue, count: number, say: (line: string) => void) {
  await fill(queue, count, say);
  const { url, token, close } = await serve(queue);
  const get: Get = async (path) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const end = async (): Promise<void> => {
    await close();
    await queue.close();
  };
  return { get, close: end };
}

/** Every tenth job has a group, a tag, a key and a name; a few are held, and some are dead. */
export async function fill(queue: Queue, count: number, say: (line: string) => void): Promise<void> {
  const { read, stage } = await queue.intake();
  const staging = await stage();
  for (let done = 0; done < count; done += 1000) {
    await staging.add(Array.from({ length: 1000 }, (_, i) => read(jobOf(done + i))));
    say(`staged ${done + 1000} of ${count}`);
  }
  await staging.commit();
  await staging.discard();
  say('holding some');
  await queue.changeAll({ tag: 'held' }, { kind: 'hold', reason: 'for the bench' });
  say('failing some');
  await failSome(queue.store, Math.max(100, count / 50), say);
}

const jobOf = (i: number): Record<string, unknown> => ({
  id: `job-${String((i * 7919) % 1_000_003).padStart(6, '0')}`,
  command: i === 5 ? 'echo needle' : `echo ${i % 10 === 3 ? 'tenth' : 'other'} job ${i}`,
  queue: `q${i % 5}`,
  ...(i % 10 === 0 && { priority: 9, max_retries: 0 }),
  ...(i % 10 === 3 && {
    group: 'g1',
    key: 'k1',
    name: 'n1',
    tags: ['t1', ...(i % 20 === 13 && i < FEW ? ['held'] : [])],
  }),
});

async function failSome(store: Store, count: number, say: (line: string) => void): Promise<void> {
  await store.registerWorker({ ...worker, ...plainWorker });
  for (let done = 0; done < count; ) {
    const { claimed } = await store.turn(turn(Math.min(500, count - done), []));
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: failed('no paper') }));
    await store.turn(turn(0, ended));
    done += claimed.length;
    say(`failed ${done} of ${count}`);
  }
}
