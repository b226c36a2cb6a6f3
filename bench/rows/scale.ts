// What a claim, `status` and `list` cost with many jobs, against the same with few.

import { join } from 'node:path';
import { Queue } from '../../src/queue.ts';
import type { Store } from '../../src/store/store.ts';
import { inSandbox, takeTurns } from '../measure.ts';
import { completeAll, completed, turn, worker } from '../no-op.ts';
import { atMost, type Bench, ms, type Row } from '../row.ts';

const FEW = 1000;
const MANY = 1_000_000;
const ROUNDS = 200;

export const bench: Bench = {
  name: 'scale',
  run: (say) =>
    inSandbox(async ({ folder }) => {
      const few = await filled(join(folder, 'few', 'queue.db'), FEW, say);
      const many = await filled(join(folder, 'many', 'queue.db'), MANY, say);
      const rows = [
        await compare('claim and complete one job', 2, (queue) => claimOne(queue.store), few, many),
        await compare('status', 1.5, (queue) => queue.overview(), few, many),
        await compare('list', 1.5, (queue) => queue.list(newest), few, many),
        await compare(
          'list --state dead',
          1.5,
          (queue) => queue.list({ ...newest, states: ['dead'] }),
          few,
          many,
        ),
      ];
      await Promise.all([few.close(), many.close()]);
      return rows;
    }),
};

const newest = { sort: 'created', descending: true, limit: 50 } as const;

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

/** As many ready as completed as delayed, the delayed ones of higher priority. */
async function filled(db: string, each: number, say: (line: string) => void): Promise<Queue> {
  const queue = await Queue.open({ db, environment: {} });
  await queue.store.registerWorker({ ...worker, queues: null, concurrency: 1 });
  await add(queue, each, {}, say);
  await completeAll(queue.store, 1000, (done) => say(`completed ${done}`));
  await add(queue, each, {}, say);
  await add(queue, each, { delay: 86_400, priority: 9 }, say);
  return queue;
}

async function add(queue: Queue, count: number, said: object, say: (line: string) => void): Promise<void> {
  const read = await queue.reader(said as Record<string, unknown>);
  const staging = await queue.stage();
  for (let done = 0; done < count; done += 1000) {
    await staging.add(Array.from({ length: 1000 }, () => read({ command: 'true' })));
    say(`staged ${done + 1000} of ${count}`);
  }
  await staging.commit();
  await staging.discard();
}

async function claimOne(store: Store): Promise<void> {
  const { claimed } = await store.turn(turn(1, []));
  await store.turn(
    turn(
      0,
      claimed.map(({ seq, number }) => ({ seq, number, ending: completed })),
    ),
  );
}
