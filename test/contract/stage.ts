// Many jobs in, by way of a staging area: nobody sees any of them before all of them are there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { idsOf, type MakeBench } from './bench.ts';

const jobs = (...ids: string[]) => ids.map((id) => newJob(id));

export function staging(bench: MakeBench): void {
  test('staged jobs are invisible until they are committed', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const stage = await b.store.stage();
    await stage.add(jobs('a', 'b'));
    assert.equal(await b.store.get('a'), null);
    assert.equal(await other.get('a'), null);
    assert.deepEqual(await b.claim(5), []);
    assert.equal(await stage.commit(), 2);
    assert.equal((await other.get('a'))?.state, 'pending');
  });

  test('a committed job equals an enqueued one', async (t) => {
    const b = await bench(t);
    const stage = await b.store.stage();
    const full = {
      command: ['echo', "it's"],
      env: { A: '1' },
      priority: 5,
      runAt: T0 + 5000,
      timeoutSeconds: 1.5,
    };
    await stage.add([newJob('staged', full), newJob('past', { runAt: T0 - 1 })]);
    await stage.commit();
    await b.enqueue(newJob('enqueued', full), newJob('past2', { runAt: T0 - 1 }));
    assert.deepEqual({ ...(await b.job('staged')), id: '' }, { ...(await b.job('enqueued')), id: '' });
    assert.deepEqual({ ...(await b.job('past')), id: '' }, { ...(await b.job('past2')), id: '' });
  });

  test('jobs of several adds are stored in order', async (t) => {
    const b = await bench(t);
    const stage = await b.store.stage();
    for (const id of ['d', 'b', 'c', 'a']) await stage.add(jobs(id));
    await stage.commit();
    assert.deepEqual(await b.ids(), ['d', 'b', 'c', 'a']);
    assert.deepEqual(idsOf(await b.claim(4)), ['d', 'b', 'c', 'a']);
  });

  test('jobs enqueued while others are staged are stored immediately, and the staged ones stay', async (t) => {
    const b = await bench(t);
    await b.enqueue('first', newJob('second', { dependsOn: [{ kind: 'job', on: 'first', rule: 'success' }] }));
    const stage = await b.store.stage();
    await stage.add(jobs('staged'));
    await b.enqueue(...Array.from({ length: 20 }, (_, i) => `job-${i}`));
    assert.equal((await b.ids()).length, 22);
    await stage.commit();
    await stage.discard();
    await b.enqueue('last');
    assert.deepEqual((await b.ids()).slice(-2), ['staged', 'last']);
  });

  test('discarded jobs leave no trace', async (t) => {
    const b = await bench(t);
    const stage = await b.store.stage();
    await stage.add(jobs('a'));
    await stage.discard();
    assert.deepEqual(await b.ids(), []);
    await b.enqueue('a');
  });

  test('a new stage is empty', async (t) => {
    const b = await bench(t);
    const first = await b.store.stage();
    await first.add(jobs('a'));
    await first.discard();
    const second = await b.store.stage();
    await second.add(jobs('b'));
    assert.equal(await second.commit(), 1);
    const third = await b.store.stage();
    assert.equal(await third.commit(), 0);
    assert.deepEqual(await b.ids(), ['b']);
  });

  test('a taken ID rejects all staged jobs and names its position', async (t) => {
    const b = await bench(t);
    await b.enqueue('taken');
    const stage = await b.store.stage();
    await stage.add(jobs('a', 'b'));
    await stage.add(jobs('taken', 'c'));
    const error = await rejection('job_exists', () => stage.commit());
    assert.deepEqual([error.details.id, error.details.position], ['taken', 3]);
    assert.deepEqual(await b.ids(), ['taken']);
  });

  test('an ID staged more than once rejects all jobs and names the first repeat', async (t) => {
    const b = await bench(t);
    const stage = await b.store.stage();
    await stage.add(jobs('a', 'b', 'c', 'b', 'a', 'b', 'a'));
    const error = await rejection('job_exists', () => stage.commit());
    assert.deepEqual([error.details.id, error.details.position], ['b', 4]);
    assert.deepEqual(await b.ids(), []);
  });

  test('an ID taken by another client in the meantime is detected', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const stage = await b.store.stage();
    await stage.add(jobs('a', 'b'));
    await other.enqueue(jobs('b'));
    const error = await rejection('job_exists', () => stage.commit());
    assert.equal(error.details.position, 2);
    assert.deepEqual(await b.ids(), ['b']);
  });

  test('while jobs are staged other clients can work', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const stage = await b.store.stage();
    await stage.add(jobs('a'));
    await other.enqueue(jobs('b'));
    await b.enqueue('c');
    await b.run('b', 'completed');
    await stage.add(jobs('d'));
    assert.equal(await stage.commit(), 2);
    assert.deepEqual(await b.ids(), ['b', 'c', 'a', 'd']);
  });

  test('ten thousand jobs are one commit', async (t) => {
    const b = await bench(t);
    const stage = await b.store.stage();
    for (let batch = 0; batch < 10; batch++) {
      await stage.add(Array.from({ length: 1000 }, (_, i) => newJob(`j${batch * 1000 + i}`)));
    }
    assert.equal(await stage.commit(), 10_000);
    const { queues } = await b.store.overview();
    assert.equal(queues[0]?.counts.pending, 10_000);
  });
}
