// Runs the same operations on a small and a large queue, in turns.

import type { Queue } from '../src/queue/queue.ts';
import type { Store } from '../src/store/store.ts';
import { takeTurns } from './measure.ts';
import { completeAll, completed, turn, worker } from './no-op.ts';
import { atMost, ms, type Row } from './row.ts';
import { plainWorker } from '../test/support/workers.ts';

const FEW = 1000;
const MANY = 1_000_000;
const ROUNDS = 200;

interface Places {
  /** Prefix of each measure. */
  readonly prefix: string;
  /** Allowed slowdown of reads; claims may take twice as long. */
  readonly limit: number;
  readonly open: (name: string) => Promise<Queue>;
}

const newest = { sort: 'created', descending: true, limit: 50 } as const;

const DEEDS: readonly [measure: string, act: (queue: Queue) => Promise<unknown>][] = [
  ['status', (queue) => queue.overview()],
  ['list', (queue) => queue.list(newest)],
  ['list --state dead', (queue) => queue.list({ ...newest, states: ['dead'] })],
  ['show', showOne],
];

export async function compareSizes(places: Places, say: (line: string) => void): Promise<Row[]> {
  const few = await filled(await places.open('few'), FEW, say);
  const many = await filled(await places.open('many'), MANY, say);
  const rows = [
    await compare(`${places.prefix}claim and complete one job`, 2, (queue) => claimOne(queue.store), few, many),
  ];
  for (const [measure, act] of DEEDS)
    rows.push(await compare(`${places.prefix}${measure}`, places.limit, act, few, many));
  await Promise.all([few.close(), many.close()]);
  return rows;
}

async function compare(
  measure: string,
  limit: number,
  act: (queue: Queue) => Promise<unknown>,
  few: Queue,
  many: Queue,
): Promise<Row> {
  const times = await takeTurns(ROUNDS, { few: () => act(few), many: () => act(many) });
  return {
    measure: `${measure}, with 3 × ${MANY.toLocaleString('en-US')} jobs`,
    against: `with 3 × ${FEW.toLocaleString('en-US')}`,
    ours: ms(times.many),
    theirs: ms(times.few),
    ...atMost(times.many / times.few, limit),
  };
}

/** One third each of ready, completed and delayed jobs, the delayed ones with a higher priority. */
async function filled(queue: Queue, each: number, say: (line: string) => void): Promise<Queue> {
  await queue.store.registerWorker({ ...worker, ...plainWorker });
  await add(queue, each, {}, say);
  await completeAll(queue.store, 1000, (done) => say(`completed ${done}`));
  await add(queue, each, {}, say);
  await add(queue, each, { delay: 86_400, priority: 9 }, say);
  return queue;
}

/** Adds jobs, a thousand at a time. */
export async function add(queue: Queue, count: number, said: object, say: (line: string) => void): Promise<void> {
  const { read, stage } = await queue.intake(said as Record<string, unknown>);
  const staging = await stage();
  for (let done = 0; done < count; done += 1000) {
    await staging.add(Array.from({ length: 1000 }, () => read({ command: 'true' })));
    say(`staged ${done + 1000} of ${count}`);
  }
  await staging.commit();
  await staging.discard();
}

export async function claimOne(store: Store): Promise<void> {
  const { claimed } = await store.turn(turn(1, []));
  await store.turn(
    turn(
      0,
      claimed.map(({ seq, run }) => ({ seq, run, ending: completed })),
    ),
  );
}

async function showOne(queue: Queue): Promise<void> {
  const [job] = await queue.list({ ...newest, states: ['completed'], limit: 1 });
  const { id } = await queue.find(job?.id ?? '');
  await queue.history(id);
}
