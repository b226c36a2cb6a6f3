// Environments of shells: each kept once, told with every claim, and gone when no job refers to it any more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentOf } from '../../src/job/environment/environment.ts';
import type { Store } from '../../src/store/store.ts';
import { newJob } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

const HARD = { PATH: '/venv/bin:/bin', QUOTES: `'"\\;--`, LINES_OF_IT: 'a\nb', FOX: '🦊', EMPTY: '' };
const ALL = 1000;

const add = (store: Store, id: string, variables: Record<string, string> | null): Promise<unknown> =>
  store.enqueue([newJob(id)], variables && environmentOf(variables));

/** How many environments there are: a copy is the only way to see those that are in use. */
async function kept(store: Store): Promise<number> {
  const texts = (await store.copyOut(0, ALL)).flatMap(({ environment }) => environment ?? []);
  return new Set(texts).size;
}

/** What a sweep of all of them removes. */
async function swept(b: Bench, limit = ALL): Promise<number> {
  const { removed, next } = await b.store.environments.sweep(0, limit);
  assert.equal(next, 0, 'all of them were looked at');
  return removed;
}

export function environments(bench: MakeBench): void {
  test('a claimed job has the environment it was enqueued with, or none', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', HARD);
    await add(b.store, 'b', null);
    await add(b.store, 'c', { PATH: '/bin' });
    const claimed = await b.claim(5);
    assert.deepEqual(
      claimed.map(({ job, environment }) => [job.id, environment]),
      [
        ['a', HARD],
        ['b', null],
        ['c', { PATH: '/bin' }],
      ],
    );
  });

  test('an empty environment is an environment', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', {});
    assert.deepEqual((await b.take('a')).environment, {});
    assert.deepEqual(await b.store.environments.ofJob('a'), {});
  });

  test('jobs with equal environments get the same object on every claim', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', HARD);
    await add(b.store, 'b', HARD);
    const [first, second] = [await b.take('a'), await b.take('b')];
    assert.ok(first.environment);
    assert.equal(first.environment, second.environment);
  });

  test('more environments than a worker caches are still returned correctly', async (t) => {
    const b = await bench(t);
    for (let i = 0; i < 100; i++) await add(b.store, `j${i}`, { N: String(i % 80) });
    const claimed = [...(await b.claim(100))];
    assert.deepEqual(
      claimed.map(({ environment }) => environment?.N),
      Array.from({ length: 100 }, (_, i) => String(i % 80)),
    );
    assert.equal(await kept(b.store), 80);
  });

  test('staged jobs share one environment', async (t) => {
    const b = await bench(t);
    const staging = await b.store.stage(environmentOf(HARD));
    for (let i = 0; i < 3; i++) await staging.add([newJob(`a${i}`), newJob(`b${i}`)]);
    assert.equal(await staging.commit(), 6);
    await staging.discard();
    assert.deepEqual(await b.store.environments.ofJob('b2'), HARD);
    await b.store.remove(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
    assert.equal(await swept(b), 1);
  });

  test('clients that enqueue at once with a new environment store it once', async (t) => {
    const b = await bench(t);
    const stores = [b.store, await b.open(), await b.open(), await b.open()];
    await Promise.all(stores.flatMap((store, i) => [add(store, `x${i}`, HARD), add(store, `y${i}`, HARD)]));
    await b.store.remove(await b.ids());
    assert.equal(await swept(b), 1);
  });

  test('an environment without a job is swept', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await assert.rejects(add(b.store, 'a', HARD));
    await b.store.environments.sweep(0, ALL);
    await add(b.store, 'b', HARD);
    await b.store.remove(['b']);
    assert.equal(await swept(b), 1);
  });

  test('an environment is deleted with its last job, not before', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', HARD);
    await add(b.store, 'b', HARD);
    await add(b.store, 'c', { OTHER: 'x' });
    await b.run('a', 'completed');
    await b.store.remove(['a']);
    assert.equal(await swept(b), 0);
    await b.store.remove(['b']);
    assert.equal(await swept(b), 1);
    assert.equal(await swept(b), 0);
    assert.deepEqual((await b.take('c')).environment, { OTHER: 'x' });
  });

  test('an environment that was deleted and added again is not mistaken for the old one', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', { N: 'first' });
    assert.deepEqual((await b.take('a')).environment, { N: 'first' });
    await b.store.reset();
    await b.worker('w1');
    await add(b.store, 'b', { N: 'second' });
    assert.deepEqual((await b.take('b')).environment, { N: 'second' });
  });

  test('a sweep checks a bounded number at a time and continues after them', async (t) => {
    const b = await bench(t);
    for (let i = 0; i < 5; i++) await add(b.store, `j${i}`, { N: String(i) });
    await b.store.remove(['j0', 'j3', 'j4']);
    const first = await b.store.environments.sweep(0, 2);
    assert.equal(first.removed, 1);
    const second = await b.store.environments.sweep(first.next, 2);
    assert.equal(second.removed, 1);
    const third = await b.store.environments.sweep(second.next, 2);
    assert.deepEqual(third, { removed: 1, next: 0 });
  });

  test('a sweep takes no environment from a job that is being enqueued', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    for (let i = 0; i < 40; i++) {
      await Promise.all([
        add(other, `j${i}`, HARD),
        b.store.environments.sweep(0, ALL),
        i > 0 ? b.store.remove([`j${i - 1}`]) : null,
      ]);
      assert.deepEqual(await b.store.environments.ofJob(`j${i}`), HARD, `round ${i}`);
    }
    assert.deepEqual(await b.store.check(), []);
    assert.equal(await swept(b), 0);
    await b.store.remove(['j39']);
    assert.equal(await swept(b), 1);
  });

  test('a reset deletes all environments', async (t) => {
    const b = await bench(t);
    await add(b.store, 'a', HARD);
    await b.store.reset();
    assert.equal(await swept(b), 0);
  });

  test('an unknown job has no environment', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    assert.equal(await b.store.environments.ofJob('a'), null);
    assert.equal(await b.store.environments.ofJob('nobody'), null);
    assert.equal(await b.store.environments.ofJob('\0'), null);
  });

  test('jobs take their environments to another store, each once', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await add(to.store, 'x', { ONLY: 'here' });
    await to.store.reset();
    for (const id of ['a', 'b']) await add(from.store, id, HARD);
    await add(from.store, 'c', { OTHER: 'x' });
    await add(from.store, 'd', null);
    const copied = await from.store.copyOut(0, ALL);
    await to.store.copyIn(copied.slice(0, 1));
    await to.store.copyIn(copied.slice(1));
    assert.deepEqual(await to.store.copyOut(0, ALL), copied);
    await to.worker('w1');
    assert.deepEqual(
      (await to.claim(5)).map(({ environment }) => environment),
      [HARD, HARD, { OTHER: 'x' }, null],
    );
    assert.equal(await kept(to.store), 2);
  });
}
