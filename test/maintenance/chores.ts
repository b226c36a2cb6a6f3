// What the chores do to a queue, on every store: removing what is old, setting right what a wrong clock did, forgetting
// environments that nobody needs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { environmentOf } from '../../src/job/environment.ts';
import { Prune, pruneAll } from '../../src/maintenance/prune.ts';
import { RepairBackoffs } from '../../src/maintenance/repair-backoffs.ts';
import { SweepEnvironments } from '../../src/maintenance/sweep-environments.ts';
import { Settings, type Stored } from '../../src/settings/settings.ts';
import { type Bench, makeBench, type NewPlace } from '../contract/bench.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { storeWith } from '../support/store-with.ts';

const HOUR_MS = 3_600_000;
/** More than are removed at once. */
const MANY = 1003;

const FINISHED = ['completed', 'cancelled', 'dead'] as const;

export function chores(newPlace: NewPlace): void {
  const bench = (t: TestContext): Promise<Bench> => makeBench(t, newPlace);
  const pruneWith = (b: Bench, stored: Stored): Prune => new Prune(b.store, () => new Settings(stored));

  async function withOneOfEach(b: Bench): Promise<void> {
    for (const state of ['pending', 'processing', 'failed', ...FINISHED] as const) await b.jobIn(state);
  }

  async function cancelledJobs(b: Bench, count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, i) => `job-${i}`);
    await b.enqueue(...ids);
    await b.store.cancel(ids);
    b.later(HOUR_MS);
  }

  test('unless somebody sets a retention time, finished jobs are kept for good', async (t) => {
    const b = await bench(t);
    await withOneOfEach(b);
    b.later(100 * 365 * 24 * HOUR_MS);
    assert.equal(await pruneWith(b, {}).runOnce(), 0);
    assert.equal((await b.all()).length, 6);
  });

  test('completed and cancelled jobs go by one retention time, dead ones by another, the rest stays', async (t) => {
    const b = await bench(t);
    await withOneOfEach(b);
    b.later(HOUR_MS);
    assert.equal(await pruneWith(b, { retention_completed: 60 }).runOnce(), 2);
    assert.deepEqual((await b.ids()).sort(), ['dead', 'failed', 'pending', 'processing']);
    assert.equal(await pruneWith(b, { retention_dead: 60 }).runOnce(), 1);
    assert.deepEqual((await b.ids()).sort(), ['failed', 'pending', 'processing']);
  });

  test('a job is kept for the whole of its retention time', async (t) => {
    const b = await bench(t);
    for (const state of FINISHED) await b.jobIn(state);
    const prune = pruneWith(b, { retention_completed: 60, retention_dead: 60 });
    b.later(60_000);
    assert.equal(await prune.runOnce(), 0);
    b.later(1);
    assert.equal(await prune.runOnce(), 3);
  });

  test('a retention time that is changed counts from the next time on', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    b.later(HOUR_MS);
    let settings = new Settings({ retention_completed: 7200 });
    const prune = new Prune(b.store, () => settings);
    assert.equal(await prune.runOnce(), 0);
    settings = new Settings({ retention_completed: 0 });
    assert.equal(await prune.runOnce(), 1);
  });

  test('the chore removes a bounded number at a time, and the rest the next times', async (t) => {
    const b = await bench(t);
    await cancelledJobs(b, MANY);
    const prune = pruneWith(b, { retention_completed: 0 });
    const removed = [await prune.runOnce(), await prune.runOnce(), await prune.runOnce()];
    assert.equal(
      removed.reduce((sum, n) => sum + n, 0),
      MANY,
    );
    assert.ok((removed[0] ?? 0) < MANY / 2, `${removed[0]} at once`);
    assert.equal(await prune.runOnce(), 0);
  });

  test('whoever asks for all is told each step, and others get their turn in between', async (t) => {
    const b = await bench(t);
    await cancelledJobs(b, MANY);
    await b.enqueue('waits');
    const steps: number[] = [];
    const claims: string[] = [];
    const prune = async (...args: Parameters<typeof b.store.prune>) => {
      const [claimed] = await b.claim(1);
      if (claimed) claims.push(claimed.job.id);
      return b.store.prune(...args);
    };
    const store = storeWith(b.store, { prune });
    const query = { states: FINISHED, finishedBefore: b.now };
    assert.equal(await pruneAll(store, query, (jobs) => steps.push(jobs)), MANY);
    assert.ok(steps.length > 2, `${steps}`);
    assert.deepEqual([steps.at(-1), [...steps].sort((x, y) => x - y)], [MANY, steps]);
    assert.deepEqual([claims, await b.ids()], [['waits'], ['waits']]);
  });

  test('where there is nothing to remove no step is told', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    const query = { states: FINISHED, finishedBefore: T0 };
    assert.equal(await pruneAll(b.store, query, () => assert.fail('there was none')), 0);
  });

  test('jobs that failed by a clock that was ahead are set right, once', async (t) => {
    const b = await bench(t);
    b.later(5 * HOUR_MS);
    await b.jobIn('failed', 'a');
    b.later(-5 * HOUR_MS);
    const chore = new RepairBackoffs(b.store);
    assert.deepEqual([await chore.runOnce(), await chore.runOnce()], [1, 0]);
    assert.ok(Number((await b.job('a')).nextRunAt) < T0 + HOUR_MS);
  });

  test('environments of jobs that are gone are forgotten, those in use are kept', async (t) => {
    const b = await bench(t);
    for (const [id, VALUE] of Object.entries({ a: 'of a', b: 'of b', c: 'of c' }))
      await b.store.enqueue([newJob(id)], environmentOf({ VALUE }));
    await b.store.remove(['a', 'c']);
    const chore = new SweepEnvironments(b.store);
    assert.equal(await chore.runOnce(), 2);
    assert.deepEqual(await b.store.environments.ofJob('b'), { VALUE: 'of b' });
    await b.store.remove(['b']);
    assert.equal(await chore.runOnce(), 1, 'behind the last one it starts over');
    assert.equal(await chore.runOnce(), 0);
  });

  test('the sweep goes on where it stopped the last time', async (t) => {
    const b = await bench(t);
    const asked: number[] = [];
    const sweep = async (after: number) => {
      asked.push(after);
      return { removed: 1, next: after >= 20 ? 0 : after + 10 };
    };
    const environments = { ofJob: b.store.environments.ofJob, sweep } as typeof b.store.environments;
    const chore = new SweepEnvironments(storeWith(b.store, { environments }));
    for (let i = 0; i < 4; i++) await chore.runOnce();
    assert.deepEqual(asked, [0, 10, 20, 0]);
  });
}
