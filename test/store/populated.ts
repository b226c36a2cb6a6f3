// A large queue, as a month of work leaves it, for looking at the plans of a store's statements.

import assert from 'node:assert/strict';
import { environmentOf } from '../../src/job/environment/environment.ts';
import { OUTCOMES } from '../../src/job/job.ts';
import type { NewSchedule } from '../../src/schedule/schedule.ts';
import { Bench, REACHABLE, type StorePlace } from '../contract/bench.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { outputOf } from '../contract/outputs.ts';

const SHELLS = 100;
const SCHEDULES = 10_000;
const BUSY = 'schedule-7';

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
        ...(i % 5 === 0 ? { schedule: BUSY, scheduledAt: T0 + i } : {}),
      }),
    ),
  );
  await stage.commit();
  await b.store.schedules.add(
    Array.from({ length: SCHEDULES }, (_, i) => newSchedule(i)),
    null,
  );
  for (let i = 0; i < SHELLS; i++) await b.store.enqueue([newJob(`e${i}`)], environmentOf({ N: String(i) }));
  const claimed = [...(await b.claim(size / 2)), ...(await b.claim(20, {}, 'w2'))];
  await whileHalfRun();
  const ended = claimed.slice(20, -20).map(({ seq, run }, i) => {
    const outcome = OUTCOMES[Math.floor(i / 3) % OUTCOMES.length] ?? 'completed'; // each in every queue
    return { seq, run, ending: endings[outcome], output: outputOf('output') };
  });
  await b.turn({ ended });
  const { queues } = await b.store.overview();
  for (const { queue, counts } of queues) {
    for (const state of REACHABLE) assert.ok(counts[state] > 5, `${state} jobs in ${queue}`);
  }
  await b.close();
}

export const newSchedule = (i: number): NewSchedule => ({
  name: `schedule-${i}`,
  spec: {
    timing: { kind: 'every', everyMs: 60_000, anchor: T0, zone: 'UTC' },
    jitterMs: 0,
    catchUp: 'one',
    catchUpWindowMs: null,
    catchUpMax: 100,
    overlap: 'skip',
  },
  job: { command: 'true' },
  nextAt: i % 10 === 0 ? null : T0 + i,
});

export const unfinishedOfSchedule = (b: Bench): Promise<string[]> => b.store.schedules.unfinishedJobs(BUSY, 100);

/** The tick of the schedule that is due first, with a job and others that were skipped. */
export async function tickOne(b: Bench): Promise<void> {
  const [seen] = await b.store.schedules.due(1);
  assert.ok(seen);
  const { name, nextAt } = seen;
  const skipped = [1, 2, 3].map((n) => ({ tick: T0 - n, reason: 'missed', jobId: null }) as const);
  const jobs = [newJob(`${name}-${nextAt}`, { schedule: name, scheduledAt: nextAt })];
  const cancel = ['no such job'];
  assert.equal(await b.store.schedules.decide([{ seen, nextAt: T0 + 60_000, jobs, cancel, skipped }]), 1);
  await b.store.schedules.ticks(name, 10);
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
