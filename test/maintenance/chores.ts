// Tests of the chores for every store: pruning, corrections after a wrong clock, and deletion of unused environments.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { environmentOf } from '../../src/job/environment/environment.ts';
import type { Chore } from '../../src/maintenance/maintenance.ts';
import { pruneAll, pruneByRetention } from '../../src/maintenance/prune.ts';
import { repairSchedules } from '../../src/maintenance/repair-schedules.ts';
import { forgetAccess, repairBackoffs, sweepEnvironments } from '../../src/maintenance/store-chores.ts';
import { TickSchedules } from '../../src/maintenance/tick-schedules.ts';
import { Settings, type Stored } from '../../src/settings/settings.ts';
import { type Bench, makeBench, type NewPlace } from '../contract/bench.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { newSchedule } from '../store/populated.ts';
import { storeWith } from '../support/store-with.ts';

const HOUR_MS = 3_600_000;
/** More than one batch deletes. */
const MANY = 1003;

const FINISHED = ['completed', 'cancelled', 'dead'] as const;

export function chores(newPlace: NewPlace): void {
  const bench = (t: TestContext): Promise<Bench> => makeBench(t, newPlace);
  const pruneWith = (b: Bench, stored: Stored): Chore => pruneByRetention(b.store, () => new Settings(stored));

  async function withOneOfEach(b: Bench): Promise<void> {
    for (const state of ['pending', 'processing', 'failed', ...FINISHED] as const) await b.jobIn(state);
  }

  async function cancelledJobs(b: Bench, count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, i) => `job-${i}`);
    await b.enqueue(...ids);
    await b.store.cancel(ids);
    b.later(HOUR_MS);
  }

  test('finished jobs are kept unless a retention time is set', async (t) => {
    const b = await bench(t);
    await withOneOfEach(b);
    b.later(100 * 365 * 24 * HOUR_MS);
    assert.equal(await pruneWith(b, {}).runOnce(), 0);
    assert.equal((await b.all()).length, 6);
  });

  test('completed and cancelled jobs have one retention time, dead jobs another, and unfinished jobs stay', async (t) => {
    const b = await bench(t);
    await withOneOfEach(b);
    b.later(HOUR_MS);
    assert.equal(await pruneWith(b, { retention_completed: 60 }).runOnce(), 2);
    assert.deepEqual((await b.ids()).sort(), ['dead', 'failed', 'pending', 'processing']);
    assert.equal(await pruneWith(b, { retention_dead: 60 }).runOnce(), 1);
    assert.deepEqual((await b.ids()).sort(), ['failed', 'pending', 'processing']);
  });

  test('a job is kept for its whole retention time', async (t) => {
    const b = await bench(t);
    for (const state of FINISHED) await b.jobIn(state);
    const prune = pruneWith(b, { retention_completed: 60, retention_dead: 60 });
    b.later(60_000);
    assert.equal(await prune.runOnce(), 0);
    b.later(1);
    assert.equal(await prune.runOnce(), 3);
  });

  test('a changed retention time applies from the next run on', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    b.later(HOUR_MS);
    let settings = new Settings({ retention_completed: 7200 });
    const prune = pruneByRetention(b.store, () => settings);
    assert.equal(await prune.runOnce(), 0);
    settings = new Settings({ retention_completed: 0 });
    assert.equal(await prune.runOnce(), 1);
  });

  test('pruning deletes a bounded number at a time', async (t) => {
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

  test('pruneAll reports each step and yields in between', async (t) => {
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
    assert.equal(await pruneAll(store, query, { onProgress: (jobs) => steps.push(jobs) }), MANY);
    assert.ok(steps.length > 2, `${steps}`);
    assert.deepEqual([steps.at(-1), [...steps].sort((x, y) => x - y)], [MANY, steps]);
    assert.deepEqual([claims, await b.ids()], [['waits'], ['waits']]);
  });

  test('pruneAll reports no step if there is nothing to delete', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    const query = { states: FINISHED, finishedBefore: T0 };
    assert.equal(await pruneAll(b.store, query, { onProgress: () => assert.fail('there was none') }), 0);
  });

  test('backoffs from a clock that was ahead are corrected once', async (t) => {
    const b = await bench(t);
    b.later(5 * HOUR_MS);
    await b.jobIn('failed', 'a');
    b.later(-5 * HOUR_MS);
    const chore = repairBackoffs(b.store);
    assert.deepEqual([await chore.runOnce(), await chore.runOnce()], [1, 0]);
    assert.ok(Number((await b.job('a')).nextRunAt) < T0 + HOUR_MS);
  });

  test('unused environments are deleted, and used ones are kept', async (t) => {
    const b = await bench(t);
    for (const [id, VALUE] of Object.entries({ a: 'of a', b: 'of b', c: 'of c' }))
      await b.store.enqueue([newJob(id)], environmentOf({ VALUE }));
    await b.store.remove(['a', 'c']);
    const chore = sweepEnvironments(b.store);
    assert.equal(await chore.runOnce(), 2);
    assert.deepEqual(await b.store.environments.ofJob('b'), { VALUE: 'of b' });
    await b.store.remove(['b']);
    assert.equal(await chore.runOnce(), 1, 'behind the last one it starts over');
    assert.equal(await chore.runOnce(), 0);
  });

  test('the sweep continues where it stopped', async (t) => {
    const b = await bench(t);
    const asked: number[] = [];
    const sweep = async (after: number) => {
      asked.push(after);
      return { removed: 1, next: after >= 20 ? 0 : after + 10 };
    };
    const environments = { ofJob: b.store.environments.ofJob, sweep } as typeof b.store.environments;
    const chore = sweepEnvironments(storeWith(b.store, { environments }));
    for (let i = 0; i < 4; i++) await chore.runOnce();
    assert.deepEqual(asked, [0, 10, 20, 0]);
  });

  test('expired sessions, old responses and old audit entries are deleted', async (t) => {
    const b = await bench(t);
    const { accounts, activity, idempotency } = b.store;
    const session = { kind: 'owner', principal: 'owner', role: 'admin', createdAt: T0 } as const;
    await accounts.addSession({ ...session, hash: 'ended', expiresAt: T0 + HOUR_MS });
    await accounts.addSession({ ...session, hash: 'alive', expiresAt: T0 + 30 * HOUR_MS });
    const request = { principal: 'ann', requestHash: 'h', createdAt: T0 };
    await idempotency.begin({ ...request, key: 'old' }, 0);
    await idempotency.begin({ ...request, key: 'new', createdAt: T0 + 2 * HOUR_MS }, 0);
    await activity.record({ at: T0, actor: 'ann', via: 'cli', action: 'reset', target: null, detail: null });
    b.later(25 * HOUR_MS);
    const chore = forgetAccess(b.store);
    assert.deepEqual([await chore.runOnce(), await chore.runOnce()], [2, 0]);
    assert.equal((await accounts.sessionWith('alive'))?.hash, 'alive');
    assert.equal((await activity.list(9)).length, 1, 'it is not many');
  });

  test('a schedule that waits for the time of a clock that was ahead is corrected', async (t) => {
    const b = await bench(t);
    const [year, minute] = [365 * 24 * HOUR_MS, 60_000]; // runs every minute from T0 on
    await b.store.schedules.add(
      [
        { ...newSchedule(1), name: 'ahead', nextAt: T0 + year },
        { ...newSchedule(1), name: 'fine', nextAt: T0 + minute },
        { ...newSchedule(1), name: 'nearly', nextAt: T0 + 2 * minute },
        { ...newSchedule(1), name: 'over', nextAt: null },
      ],
      null,
    );
    const repair = repairSchedules(b.store);
    assert.equal(await repair.runOnce(), 1);
    const times = (await b.store.schedules.all()).map(({ nextAt }) => nextAt);
    assert.deepEqual(times, [T0 + minute, T0 + minute, T0 + 2 * minute, null]);
    assert.equal(await repair.runOnce(), 0);
  });

  test('runs skipped by a clock that was ahead happen after all, and no job is created twice', async (t) => {
    const b = await bench(t);
    const [half, full] = [T0 + 30 * 60_000, T0 + HOUR_MS];
    const { spec, ...fields } = newSchedule(1); // runs every minute from T0 on
    const schedule = {
      ...fields,
      name: 's',
      spec: { ...spec, overlap: 'allow' as const },
      nextAt: T0 + 60_000,
    };
    await b.store.schedules.add([schedule], null);
    const tick = new TickSchedules(b.store, () => new Settings({}), assert.fail);
    b.later(HOUR_MS);
    assert.equal(await tick.runOnce(), 1, 'the newest is made up for');
    b.later(-HOUR_MS);
    await repairSchedules(b.store).runOnce();
    assert.deepEqual((await b.store.schedules.ticks('s', 100)).map(({ at }) => at), [full]); // biome-ignore format: one line
    for (let minute = 1; minute <= 61; minute++) {
      b.later(60_000);
      await tick.runOnce();
    }
    const times = (await b.store.list({ sort: 'created', descending: false, limit: null })).map(
      (job) => job.scheduledAt,
    );
    assert.deepEqual([times.length, new Set(times).size, times.includes(half)], [61, 61, true]);
  });

  test('each run checks a bounded number of schedules, and eventually all', async (t) => {
    const b = await bench(t);
    const many = Array.from({ length: 450 }, (_, i) => ({ ...newSchedule(i), nextAt: T0 + 24 * HOUR_MS }));
    await b.store.schedules.add(many, null);
    const repair = repairSchedules(b.store);
    assert.deepEqual([await repair.runOnce(), await repair.runOnce(), await repair.runOnce()], [200, 200, 50]);
    assert.equal(await repair.runOnce(), 0);
  });
}
