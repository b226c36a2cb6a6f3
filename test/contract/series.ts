// What the queue has done over time, which outlives jobs, workers and restarts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERY_QUEUE } from '../../src/job/flow/concurrency.ts';
import { type Bucket, KEPT_MS, OTHER_QUEUES, QUEUES_AT_MOST, STEPS } from '../../src/series/fold.ts';
import { countOf } from '../../src/series/histogram.ts';
import { sumOfTallies, type Tally } from '../../src/series/tally.ts';
import type { Store } from '../../src/store/store.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { newSchedule } from '../store/populated.ts';
import { rescue } from '../support/workers.ts';
import { type Bench, type MakeBench, policy } from './bench.ts';

const MINUTE = 60_000;
const FAR = T0 + 10 * 366 * 86_400_000;

/** Without how long the store took, which nobody can foresee. */
async function totalOf(store: Store, queue = EVERY_QUEUE): Promise<Tally | undefined> {
  const found = (await store.series.totals()).find((one) => one.queue === queue);
  if (!found) return undefined;
  const { turn: _, ...tally } = found.tally;
  return tally;
}

const minutes = (b: Bench, queue = EVERY_QUEUE): Promise<Bucket[]> => b.store.series.between('minute', queue, 0, FAR);

/** Everything is told the same, folded or not. */
async function foldedAlike(b: Bench): Promise<Bucket[]> {
  const keyed = (all: readonly Bucket[]) =>
    all.toSorted((x, y) => (`${x.kind}${x.queue}${x.at}` < `${y.kind}${y.queue}${y.at}` ? -1 : 1));
  const before = keyed(await b.store.series.all());
  await b.store.series.fold();
  const after = keyed(await b.store.series.all());
  assert.deepEqual(after, before);
  return after;
}

export function series(bench: MakeBench): void {
  test('a queue without activity has no series', async (t) => {
    const b = await bench(t);
    assert.deepEqual([await b.store.series.totals(), await minutes(b), await b.store.series.fold()], [[], [], 0]);
  });

  test('jobs count when they are enqueued: singly, staged, or as a workflow', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { queue: 'mail' }));
    await b.enqueue(newJob('c', { group: 'g', queue: 'mail' }));
    for (const more of [{}, { group: 'g' }]) {
      const staging = await b.store.stage();
      await staging.add([newJob(`s1${more.group}`, more), newJob(`s2${more.group}`, { ...more, queue: 'mail' })]);
      await staging.commit();
    }
    assert.deepEqual(await totalOf(b.store), { jobs: { enqueued: 7 } });
    assert.deepEqual(await totalOf(b.store, 'mail'), { jobs: { enqueued: 4 } });
    await foldedAlike(b);
  });

  test('a rejected or skipped duplicate job does not count', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await assert.rejects(b.enqueue('b', 'a'));
    await b.enqueue(newJob('u1', { uniqueKey: 'k' }));
    await b.enqueue(newJob('u2', { uniqueKey: 'k' }));
    const staging = await b.store.stage();
    await staging.add([newJob('u3', { uniqueKey: 'k' }), newJob('v', { uniqueKey: 'other' })]);
    await staging.commit();
    assert.deepEqual(await totalOf(b.store), { jobs: { enqueued: 3 } });
  });

  test('attempts count when they start and finish, with their waiting and run times', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { queue: 'mail', maxRetries: 1, backoffBase: 0, backoffStrategy: 'fixed' }));
    b.later(40);
    const first = await b.take('a');
    assert.equal(first.waitedMs, 40);
    await b.end(first, 'failed', { durationMs: 30 });
    await b.end(await b.take('a'), 'timeout', { durationMs: 200 });
    const told = {
      jobs: { enqueued: 1, dead: 1 },
      started: 2,
      attempts: { failed: 1, timeout: 1 },
      run: { sum: 230, in: { 30: 1, 200: 1 } },
      wait: { sum: 40, in: { 1: 1, 50: 1 } },
    };
    assert.deepEqual(await totalOf(b.store, 'mail'), told);
    assert.deepEqual(await totalOf(b.store), told);
    await foldedAlike(b);
  });

  test('a late report counts nothing', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const claimed = await b.take('a');
    await b.end(claimed, 'completed');
    await b.end(claimed, 'completed');
    assert.equal((await totalOf(b.store))?.jobs?.completed, 1);
  });

  test('a turn that finishes and claims jobs reports all queues in it', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { queue: 'x' }), newJob('b', { queue: 'y' }), newJob('c', { queue: 'y' }));
    const claimed = await b.claim(2);
    const ended = claimed.map(({ seq, run }) => ({ seq, run, ending: completed }));
    await b.turn({ ended, want: 1 });
    const [x, y] = [await totalOf(b.store, 'x'), await totalOf(b.store, 'y')];
    assert.deepEqual([x?.started, x?.jobs?.completed, y?.started, y?.jobs?.completed], [1, 1, 2, 1]);
  });

  test('a job that lost its worker counts as interrupted', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.take('a');
    b.later(1000);
    await rescue(b.store, 'w1', policy);
    const total = await totalOf(b.store);
    assert.deepEqual(total?.attempts, { worker_lost: 1 });
    assert.equal(total?.run, undefined, 'how long it would have run is not known');
  });

  test('a cancelled job counts once, whether a user, its worker or a dependency cancelled it', async (t) => {
    const b = await bench(t);
    await b.jobIn('cancelled', 'waiting');
    const running = await b.jobIn('processing', 'running');
    await b.store.cancel(['running']);
    assert.equal((await totalOf(b.store))?.jobs?.cancelled, 1, 'one that runs is not ended yet');
    const [lease] = (await b.turn()).cancelling;
    assert.ok(lease, running.id);
    await b.end(lease, 'cancelled');
    await b.enqueue(newJob('p', { maxRetries: 0 }));
    await b.enqueue(newJob('c', { dependsOn: [{ kind: 'job', on: 'p', rule: 'success' }] }));
    await b.run('p', 'failed');
    await b.store.dependencies.advance(100);
    assert.equal((await b.job('c')).state, 'cancelled');
    assert.deepEqual((await totalOf(b.store))?.jobs, { enqueued: 4, cancelled: 3, dead: 1 });
    await foldedAlike(b);
  });

  test('buckets of a queue and of all queues are sorted by time, without empty ones', async (t) => {
    const b = await bench(t);
    const start = Math.floor(T0 / MINUTE) * MINUTE;
    await b.enqueue('a');
    b.later(2 * MINUTE);
    await b.enqueue('b', newJob('c', { queue: 'mail' }));
    await b.store.series.fold();
    await b.enqueue('d');
    const told = (buckets: Bucket[]) => buckets.map(({ at, tally }) => [at - start, tally.jobs?.enqueued]);
    assert.deepEqual(told(await minutes(b)), [
      [0, 1],
      [2 * MINUTE, 3],
    ]);
    assert.deepEqual(told(await minutes(b, 'mail')), [[2 * MINUTE, 1]]);
    assert.deepEqual(told(await b.store.series.between('minute', '*', start, start + 2 * MINUTE)), [[0, 1]]);
    assert.deepEqual((await b.store.series.between('hour', '*', 0, FAR)).length, 1);
  });

  test('the duration of turns is reported with the next turn', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    const all = (await b.store.series.totals()).find(({ queue }) => queue === EVERY_QUEUE);
    assert.equal(all?.tally.turn && countOf(all.tally.turn), 1);
  });

  test('jobs of schedules and hooks count, and so do skipped runs', async (t) => {
    const b = await bench(t);
    await b.store.schedules.add([{ ...newSchedule(1), name: 's', nextAt: T0 }], null);
    const [seen] = await b.store.schedules.due(1);
    assert.ok(seen);
    const made = newJob('made', { schedule: 's', scheduledAt: T0, hooks: { on_success: 'true' } });
    const skipped = [{ tick: T0 - MINUTE, reason: 'missed', jobId: null } as const];
    await b.store.schedules.decide([{ seen, nextAt: T0 + MINUTE, jobs: [made], cancel: [], skipped }]);
    await b.run('made', 'completed');
    await b.store.dependencies.advance(100);
    const total = await totalOf(b.store);
    assert.deepEqual([total?.jobs, total?.skippedTicks], [{ enqueued: 2, completed: 1 }, 1]);
  });

  test('deleting jobs subtracts nothing, and a reset clears everything', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    await b.jobIn('dead');
    const before = await totalOf(b.store);
    await b.store.remove(['dead']);
    await b.store.prune({ states: ['completed'], keep: 0 }, 10);
    assert.deepEqual(await totalOf(b.store), before);
    await b.store.series.fold();
    await b.enqueue('unfolded');
    await b.store.reset();
    assert.deepEqual(await b.store.series.all(), []);
  });

  test('old buckets are deleted, a bounded number at a time, and totals are kept', async (t) => {
    const b = await bench(t);
    for (let i = 0; i < 5; i++) {
      await b.enqueue(`j${i}`);
      b.later(MINUTE);
    }
    await b.store.series.fold();
    b.later(KEPT_MS.minute);
    assert.equal(await b.store.series.prune(4), 4);
    assert.equal(await b.store.series.prune(100), 6, 'the rest, of the queue and of all');
    assert.equal(await b.store.series.prune(100), 0);
    assert.equal((await b.store.series.between('hour', '*', 0, FAR)).length > 0, true);
    b.later(KEPT_MS.day);
    await b.store.series.prune(1000);
    for (const step of STEPS) assert.deepEqual(await b.store.series.between(step, '*', 0, FAR), []);
    assert.equal((await totalOf(b.store))?.jobs?.enqueued, 5);
  });

  test('everything moves to another store, including counts not folded yet', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.jobIn('completed', 'a');
    await from.store.series.fold();
    await from.jobIn('dead', 'b');
    await to.enqueue('in the way');
    await to.store.series.replace(await from.store.series.all());
    assert.deepEqual(await totalOf(to.store), await totalOf(from.store));
    assert.deepEqual(await minutes(to, 'default'), await minutes(from, 'default'));
  });

  test('folding while others count loses nothing and counts nothing twice', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const jobs = Array.from({ length: 40 }, (_, i) => newJob(`j${i}`));
    const adding = async (): Promise<void> => {
      for (const job of jobs) await b.store.enqueue([job]);
    };
    const folding = async (store: Store): Promise<void> => {
      for (let i = 0; i < 20; i++) await store.series.fold();
    };
    await Promise.all([adding(), folding(other), folding(b.store)]);
    assert.deepEqual(await totalOf(b.store), { jobs: { enqueued: 40 } });
    const all = sumOfTallies((await minutes(b)).map(({ tally }) => tally));
    assert.equal(all.jobs?.enqueued, 40);
  });

  test('thousands of queues do not create thousands of series', async (t) => {
    const b = await bench(t);
    const jobs = Array.from({ length: 2100 }, (_, i) => newJob(`j${i}`, { queue: `q${i}` }));
    await b.store.enqueue(jobs);
    await b.store.series.fold();
    const totals = await b.store.series.totals();
    assert.equal(totals.length, QUEUES_AT_MOST + 2);
    assert.equal((await totalOf(b.store, OTHER_QUEUES))?.jobs?.enqueued, jobs.length - QUEUES_AT_MOST);
    assert.equal((await totalOf(b.store))?.jobs?.enqueued, jobs.length);
  });
}

const completed = { outcome: 'completed', exitCode: 0, signal: null, error: null, durationMs: 5 } as const;
