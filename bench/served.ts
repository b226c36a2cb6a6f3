// A server over a queue, and queues that have jobs for every filter.

import { join } from 'node:path';
import { pageIn } from '../src/server/http/built-page.ts';
import type { Queue } from '../src/queue/queue.ts';
import { serveQueue } from '../src/server/serve.ts';
import type { Store } from '../src/store/store.ts';
import { plainWorker } from '../test/support/workers.ts';
import { root } from './measure.ts';
import { add, failed, turn, worker } from './no-op.ts';
import type { Kit } from './row.ts';

export const FEW = 1000;
export const MANY = 1_000_000;

type Say = Kit['say'];

export interface Served {
  readonly url: string;
  /** The address of the page with its token. */
  readonly address: string;
  readonly token: string;
}

/** Serves the queue until `work` ends. */
export async function* serving<T>(
  queues: readonly Queue[],
  work: (...served: Served[]) => AsyncIterable<T>,
): AsyncIterable<T> {
  const page = pageIn(join(root, 'dist', 'page'));
  const options = { host: '127.0.0.1', port: 0, page, version: 'bench', log: () => {} };
  const servers = await Promise.all(queues.map((queue) => serveQueue(queue, options)));
  try {
    const served = servers.map(({ url, address }) => ({ url, address, token: address.split('#token=')[1] ?? '' }));
    yield* work(...served);
  } finally {
    for (const server of servers) await server.close(0);
  }
}

export async function filled({ open, say }: Kit, name: string, count: number): Promise<Queue> {
  const queue = await open(name);
  await fill(queue, count, say);
  return queue;
}

/** Every tenth job has a group, a tag, a key and a name; a few are held, and some are dead. */
async function fill(queue: Queue, count: number, say: Say): Promise<void> {
  await add(queue, count, {}, say, jobOf);
  say('holding some');
  await queue.changeAll({ tag: 'held' }, { kind: 'hold', reason: 'for the bench' });
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

async function failSome(store: Store, count: number, say: Say): Promise<void> {
  await store.registerWorker({ ...worker, ...plainWorker });
  for (let done = 0; done < count; ) {
    const { claimed } = await store.turn(turn(Math.min(500, count - done), []));
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: failed('no paper') }));
    await store.turn(turn(0, ended));
    done += claimed.length;
    say(`failed ${done} of ${count}`);
  }
}
