// Measures the same operations on a small and a large queue, in turns.

import type { Queue } from '../../src/queue/queue.ts';
import { plainWorker } from '../../test/support/workers.ts';
import { elapsed } from '../measure.ts';
import { add, claimOne, completeAll, worker } from '../no-op.ts';
import { atMost, count, onBoth } from '../row.ts';

const FEW = 1000;
const MANY = 1_000_000;

const newest = { sort: 'created', descending: true, limit: 50 } as const;

const DEEDS: readonly [measure: string, limit: number, act: (queue: Queue) => Promise<unknown>][] = [
  ['claim and complete one job', 2, ({ store }) => claimOne(store)],
  ['`status`', 1.5, (queue) => queue.overview()],
  ['`list`', 1.5, (queue) => queue.list(newest)],
  ['`list --state dead`', 1.5, (queue) => queue.list({ ...newest, states: ['dead'] })],
  ['`show`', 1.5, showOne],
];

export const benches = onBoth('scale', 'operations with few and many stored jobs', async function* (kit) {
  const few = await filled(await kit.open('few'), FEW, kit.say);
  const many = await filled(await kit.open('many'), MANY, kit.say);
  for (const [measure, limit, act] of DEEDS) {
    yield {
      measure: `${kit.prefix}${measure}, with 3 × ${count(MANY)} jobs`,
      against: `with 3 × ${count(FEW)}`,
      unit: 'ms',
      target: atMost(limit),
      samples: 40,
      ours: () => elapsed(() => act(many)),
      peer: () => elapsed(() => act(few)),
    };
  }
});

/** One third each of ready, completed and delayed jobs, the delayed ones with a higher priority. */
async function filled(queue: Queue, each: number, say: (line: string) => void): Promise<Queue> {
  await queue.store.registerWorker({ ...worker, ...plainWorker });
  await add(queue, each, {}, say);
  await completeAll(queue.store, 1000, (done) => say(`completed ${count(done)}`));
  await add(queue, each, {}, say);
  await add(queue, each, { delay: 86_400, priority: 9 }, say);
  return queue;
}

async function showOne(queue: Queue): Promise<void> {
  const [job] = await queue.list({ ...newest, states: ['completed'], limit: 1 });
  const { id } = await queue.find(job?.id ?? '');
  await queue.history(id);
}
