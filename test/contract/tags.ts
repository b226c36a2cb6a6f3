// Tags: a job is found by each of them, however it came in, until it is gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

async function tagged(b: Bench, tag: string | string[]): Promise<string> {
  const jobs = await b.store.list({ tag, sort: 'created', descending: false, limit: null });
  return jobs.map(({ id }) => id).join(' ');
}

export function tagging(bench: MakeBench): void {
  test('a job has its tags in order and is found by each', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { tags: ['z', 'y'] }), newJob('b', { tags: ['y'] }), 'c');
    assert.deepEqual((await b.job('a')).tags, ['z', 'y']);
    assert.deepEqual((await b.job('c')).tags, []);
    assert.equal(await tagged(b, 'y'), 'a b');
    assert.equal(await tagged(b, ['z', 'nothing']), 'a');
    assert.equal(await tagged(b, 'nothing'), '');
  });

  test('a job of a bulk enqueue is found by its tags', async (t) => {
    const b = await bench(t);
    const staging = await b.store.stage();
    await staging.add([newJob('a', { tags: ['x'] }), newJob('b')]);
    await staging.add([newJob('c', { tags: ['x', 'y'] })]);
    await staging.commit();
    assert.equal(await tagged(b, 'x'), 'a c');
  });

  test('a deleted job leaves no tag, and a moved job takes them along', async (t) => {
    const [from, to] = [await bench(t), await bench(t)];
    await from.enqueue(newJob('a', { tags: ['x'] }), newJob('b', { tags: ['x'] }));
    await from.store.remove(['a']);
    assert.equal(await tagged(from, 'x'), 'b');
    await to.store.copyIn(await from.store.copyOut(0, 10));
    assert.equal(await tagged(to, 'x'), 'b');
    assert.deepEqual((await to.job('b')).tags, ['x']);
  });

  test('a job with a taken ID stores no tag', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await assert.rejects(b.enqueue(newJob('b', { tags: ['x'] }), newJob('a', { tags: ['x'] })));
    assert.equal(await tagged(b, 'x'), '');
  });
}
