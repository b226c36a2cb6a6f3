// Measures a claim and `status` next to very many jobs and schedules that are not ready, compared with a queue of ready
// jobs only; and the settling of a job with very many dependents.

import { statusOf } from '../src/report/status.ts';
import type { Queue } from '../src/queue/queue.ts';
import { median, takeTurns } from './measure.ts';
import { completed, turn, worker } from './no-op.ts';
import { add, claimOne } from './sizes.ts';
import { atMost, ms, type Row } from './row.ts';
import { plainWorker } from '../test/support/workers.ts';

const BURDEN = 100_000;
const SCHEDULES = 10_000;
const CHILDREN = 10_000;
const ROUNDS = 200;
const FAMILIES = 3;
/** Ready jobs in every queue: enough for the claims, and more than `status` reads. */
const PLAIN = 1000;
const LIMIT = 1.5;
const LONGEST_TURN_MS = 100;
/** Batch size of a worker. */
const TOLD_AT_ONCE = 200;

interface Places {
  /** Prefix of each measure. */
  readonly prefix: string;
  readonly open: (name: string) => Promise<Queue>;
}

type Say = (line: string) => void;
type Fill = (queue: Queue, say: Say) => Promise<void>;

const BURDENS: readonly [name: string, measure: string, fill: Fill][] = [
  ['blocked', `${count(BURDEN)} blocked jobs`, fillBlocked],
  ['keyed', `${count(BURDEN)} jobs behind one key`, fillKeyed],
  ['scheduled', `${count(SCHEDULES)} schedules`, fillSchedules],
];

export async function compareBurdens({ prefix, open: openPlace }: Places, say: Say): Promise<Row[]> {
  const open = async (name: string): Promise<Queue> => withWorker(await openPlace(name));
  const bare = await open('bare');
  await add(bare, PLAIN, {}, say);
  const rows: Row[] = [];
  for (const [name, measure, fill] of BURDENS) {
    const queue = await open(name);
    await fill(queue, say);
    await add(queue, PLAIN, {}, say);
    const compared = (what: string, act: (queue: Queue) => Promise<unknown>): Promise<Row> =>
      compare(`${prefix}${what}, beside ${measure}`, act, bare, queue);
    rows.push(await compared('claim and complete one job', ({ store }) => claimOne(store)));
    rows.push(await compared('status', (one) => statusOf(one)));
    await queue.close();
  }
  await bare.close();
  return [...rows, await settleFamilies({ prefix, open }, say)];
}

async function compare(
  measure: string,
  act: (queue: Queue) => Promise<unknown>,
  bare: Queue,
  burdened: Queue,
): Promise<Row> {
  const times = await takeTurns(ROUNDS, { bare: () => act(bare), burdened: () => act(burdened) });
  return {
    measure,
    against: 'without them',
    ours: ms(times.burdened),
    theirs: ms(times.bare),
    ...atMost(times.burdened / times.bare, LIMIT),
  };
}

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
async function settleFamilies({ prefix, open }: Places, say: Say): Promise<Row> {
  const longest: number[] = [];
  for (let round = 1; round <= FAMILIES; round++) {
    const queue = await open(`family${round}`);
    await queue.enqueue([{ id: 'parent', command: 'true' }]);
    await add(queue, CHILDREN, { depends_on: 'parent' }, say);
    longest.push(await settleFamily(queue));
    await queue.close();
  }
  return {
    measure: `${prefix}settle a parent of ${count(CHILDREN)} children, longest turn`,
    against: `${LONGEST_TURN_MS} ms`,
    ours: ms(median(longest)),
    theirs: ms(LONGEST_TURN_MS),
    ...atMost(median(longest) / LONGEST_TURN_MS, 1),
  };
}

async function settleFamily({ store }: Queue): Promise<number> {
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

function count(n: number): string {
  return n.toLocaleString('en-US');
}
