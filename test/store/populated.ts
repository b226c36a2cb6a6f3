// A large queue, as a month of work leaves it, for looking at the plans of a store's statements.

import assert from 'node:assert/strict';
import { environmentOf } from '../../src/job/environment.ts';
import { OUTCOMES } from '../../src/job/job.ts';
import { Bench, REACHABLE, type StorePlace } from '../contract/bench.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { outputOf } from '../contract/outputs.ts';

const SHELLS = 100;

/**
 * Ready, scheduled, running, failed, dead, completed and cancelled jobs, by the thousand, in three queues. On the way
 * there half of all run at once.
 */
export async function populate(
  place: StorePlace,
  size: number,
  whileHalfRun: () => Promise<unknown> = async () => {},
): Promise<void> {
  const b = new Bench(place);
  await b.begin();
  await b.worker('w2');
  const stage = await b.store.stage(environmentOf({ PATH: '/bin' }));
  await stage.add(
    Array.from({ length: size }, (_, i) =>
      newJob(`j${i}`, {
        queue: ['default', 'mail', 'print'][i % 3] ?? '',
        priority: (i % 7) - 3,
        maxRetries: i % 2,
        runAt: i % 4 === 3 ? T0 + i : null,
      }),
    ),
  );
  await stage.commit();
  for (let i = 0; i < SHELLS; i++) await b.store.enqueue([newJob(`e${i}`)], environmentOf({ N: String(i) }));
  const claimed = [...(await b.claim(size / 2)), ...(await b.claim(20, {}, 'w2'))];
  await whileHalfRun();
  const ended = claimed.slice(20, -20).map(({ seq, number }, i) => {
    const outcome = OUTCOMES[Math.floor(i / 3) % OUTCOMES.length] ?? 'completed'; // each in every queue
    return { seq, number, ending: endings[outcome], output: outputOf('output') };
  });
  await b.turn({ ended });
  const { queues } = await b.store.overview();
  for (const { queue, counts } of queues) {
    for (const state of REACHABLE) assert.ok(counts[state] > 5, `${state} jobs in ${queue}`);
  }
  await b.close();
}

export async function endOne(b: Bench): Promise<void> {
  const [claimed] = await b.claim(1);
  if (claimed) await b.end(claimed, 'failed');
}

/** Comes with an environment that is not there yet, and takes it along. */
export async function sweepOne(b: Bench): Promise<void> {
  await b.store.enqueue([newJob('swept')], environmentOf({ PATH: '/nowhere' }));
  await b.store.remove(['swept']);
  assert.deepEqual(await b.store.environments.sweep(0, 1000), { removed: 1, next: 0 });
}
