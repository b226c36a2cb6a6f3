// Groups: counted in the same transactions as the states of their jobs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob, T0 } from '../support/jobs.ts';
import type { Bench, MakeBench } from './bench.ts';

const counted = async (b: Bench, name: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = { ...(await b.store.groups.get(name))?.counts };
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));
};

export function grouping(bench: MakeBench): void {
  test('a group is created with its first job and counts its jobs by state', async (t) => {
    const b = await bench(t);
    assert.equal(await b.store.groups.get('g'), null);
    await b.enqueue(
      newJob('a', { group: 'g' }),
      newJob('b', { group: 'g', maxRetries: 0 }),
      newJob('c', { group: 'g' }),
      newJob('d', { group: 'h' }),
      'alone',
    );
    assert.deepEqual(await counted(b, 'g'), { pending: 3 });
    await b.run('a', 'completed');
    await b.run('b', 'failed');
    await b.take('c');
    assert.deepEqual(await counted(b, 'g'), { processing: 1, completed: 1, dead: 1 });
    await b.store.remove(['a']);
    await b.store.retry(['b'], ['dead']);
    assert.deepEqual(await counted(b, 'g'), { pending: 1, processing: 1 });
    assert.deepEqual(await counted(b, 'h'), { pending: 1 });
    assert.deepEqual(await b.store.check(), []);
  });

  test('the latest group concurrency applies', async (t) => {
    const b = await bench(t);
    const limit = async (): Promise<number | null | undefined> => (await b.store.groups.get('g'))?.concurrency;
    await b.enqueue(newJob('a', { group: 'g' }));
    assert.equal(await limit(), null);
    await b.enqueue(newJob('b', { group: 'g', groupConcurrency: 4 }));
    await b.enqueue(newJob('c', { group: 'g' }));
    assert.equal(await limit(), 4);
    await b.enqueue(newJob('d', { group: 'g', groupConcurrency: 2 }));
    assert.equal(await limit(), 2);
  });

  test('groups are ordered newest first', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'old' }));
    b.later(1000);
    await b.enqueue(newJob('b', { group: 'new' }));
    const names = async (limit: number | null) => (await b.store.groups.all(limit)).map(({ name }) => name);
    assert.deepEqual(await names(null), ['new', 'old']);
    assert.deepEqual(await names(1), ['new']);
    assert.equal((await b.store.groups.get('old'))?.createdAt, T0);
  });

  test('many staged jobs join their groups too', async (t) => {
    const b = await bench(t);
    const staging = await b.store.stage();
    await staging.add([newJob('plain')]);
    await staging.add([newJob('a', { group: 'g', groupConcurrency: 3 }), newJob('b', { group: 'g' })]);
    await staging.add([newJob('c', { group: 'g', dependsOn: [{ kind: 'job', on: 'a', rule: 'success' }] })]);
    assert.equal(await staging.commit(), 4);
    await staging.discard();
    assert.deepEqual(await counted(b, 'g'), { blocked: 1, pending: 2 });
    assert.equal((await b.store.groups.get('g'))?.concurrency, 3);
    assert.deepEqual(await b.ids(), ['plain', 'a', 'b', 'c']);
  });

  test('a group without jobs is deleted, and no other', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), newJob('b', { group: 'h' }));
    await b.store.remove(['a']);
    assert.deepEqual(await b.store.groups.sweep('', 10), { removed: 1, next: null });
    assert.equal(await b.store.groups.get('g'), null);
    assert.deepEqual(await counted(b, 'h'), { pending: 1 });
    assert.deepEqual(await b.store.check(), []);
  });

  test('a group without jobs is deleted by name', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }), newJob('b', { group: 'h' }), newJob('c', { group: 'G' }));
    await b.store.remove(['a', 'c']);
    for (const name of ['g', 'h', 'other']) await b.store.groups.removeIfEmpty(name);
    assert.deepEqual((await b.store.groups.all(null)).map(({ name }) => name).sort(), ['G', 'h']);
    assert.deepEqual(await b.store.check(), []);
  });

  test('a job is found by its name, first in its own group, then the newest', async (t) => {
    const b = await bench(t);
    await b.enqueue(
      newJob('a', { name: 'build', group: 'g' }),
      newJob('b', { name: 'build' }),
      newJob('c', { name: 'build', group: 'h' }),
    );
    assert.equal((await b.store.findNamed('build', null))?.id, 'c', 'of no group in particular');
    assert.equal((await b.store.findNamed('build', 'g'))?.id, 'a');
    assert.equal((await b.store.findNamed('build', 'other'))?.id, 'c');
    assert.equal(await b.store.findNamed('nothing', null), null);
  });
}
