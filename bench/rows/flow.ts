// Measures a claim and `status` next to very many jobs and schedules that are not ready, compared with a queue of ready
// jobs only; and the settling of a job with very many dependents.

import type { Queue } from '../../src/queue/queue.ts';
import { statusOf } from '../../src/report/status.ts';
import { plainWorker } from '../../test/support/workers.ts';
import { elapsed } from '../measure.ts';
import { add, claimOne, completed, turn, worker } from '../no-op.ts';
import { atMost, count, type Kit, onBoth } from '../row.ts';

const BURDEN = 100_000;
const SCHEDULES = 10_000;
const CHILDREN = 10_000;
/** Ready jobs in every queue: enough for the claims, and more than `status` reads. */
const PLAIN = 1000;
const LIMIT = 1.5;
const LONGEST_TURN_MS = 100;
/** Batch size of a worker. */
const TOLD_AT_ONCE = 200;

type Say = (line: string) => void;
type Fill = (queue: Queue, say: Say) => Promise<void>;

const BURDENS: readonly [name: string, measure: string, fill: Fill][] = [
  ['blocked', `${count(BURDEN)} blocked jobs`, fillBlocked],
  ['keyed', `${count(BURDEN)} jobs behind one key`, fillKeyed],
  ['scheduled', `${count(SCHEDULES)} schedules`, fillSchedules],
];

export const benches = onBoth('flow', 'claims next to blocked and limited jobs and schedules', async function* (kit) {
  const bare = await withWorker(await kit.open('bare'));
  await add(bare, PLAIN, {}, kit.say);
  for (const [name, measure, fill] of BURDENS) {
    const burdened = await withWorker(await kit.open(name));
    await fill(burdened, kit.say);
    await add(burdened, PLAIN, {}, kit.say);
    const compared = (what: string, act: (queue: Queue) => Promise<unknown>) =>
      ({
        measure: `${kit.prefix}${what}, next to ${measure}`,
        against: 'without them',
        unit: 'ms',
        target: atMost(LIMIT),
        samples: 40,
        ours: () => elapsed(() => act(burdened)),
        peer: () => elapsed(() => act(bare)),
      }) as const;
    yield compared('claim and complete one job', ({ store }) => claimOne(store));
    yield compared('`status`', (one) => statusOf(one));
  }
  let family = 0;
  yield {
    measure: `${kit.prefix}settle a parent of ${count(CHILDREN)} children, longest turn`,
    against: 'a limit',
    unit: 'ms',
    target: atMost(1),
    rounds: 3,
    ours: () => settleFamily(kit, `family${++family}`),
    peer: LONGEST_TURN_MS,
  };
});

async function withWorker(queue: Queue): Promise<Queue> {
  await queue.store.registerWorker({ ...worker, ...plainWorker });
  return queue;
}

async function fillBlocked(queue: Queue, say: Say): Promise<void> {
  await queue.enqueue([{ id: 'parent', command: 'true', delay: 86_400 }]);
  await add(queue, BURDEN, { depends_on: 'parent' }, say);
}

/** One of them runs; all others wait for its slot. */
async function fillKeyed(queue: Queue, say: Say): Promise<void> {
  await add(queue, BURDEN, { key: 'k' }, say);
  const { claimed } = await queue.store.turn(turn(1, []));
  if (claimed.length !== 1) throw new Error('no job was let through to its key');
}

async function fillSchedules(queue: Queue, say: Say): Promise<void> {
  say(`adding ${count(SCHEDULES)} schedules`);
  const { template } = await queue.intake();
  const job = template({ command: 'true' });
  const inputs = Array.from({ length: SCHEDULES }, (_, i) => ({ name: `s${i}`, every: '1d', job }));
  await (await queue.schedules()).add(inputs, null);
}

/** Returns the longest turn or batch of endings, from the end of the parent until every child is updated. */
async function settleFamily({ open, say }: Kit, name: string): Promise<number> {
  const queue = await withWorker(await open(name));
  await queue.enqueue([{ id: 'parent', command: 'true' }]);
  await add(queue, CHILDREN, { depends_on: 'parent' }, say);
  const { store } = queue;
  const times: number[] = [];
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    times.push(performance.now() - startedAt);
    return result;
  };
  const { claimed } = await timed(() => store.turn(turn(1, [])));
  const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
  await timed(() => store.turn(turn(0, ended)));
  while ((await timed(() => store.dependencies.advance(TOLD_AT_ONCE))).more) {
    await timed(() => store.turn(turn(0, [])));
  }
  const { queues } = await store.overview();
  if (queues[0]?.counts.pending !== CHILDREN) throw new Error('not every child was told');
  return Math.max(...times);
}
