// Several connections to one queue: nothing is done twice, nothing is left out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endings, newJob } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { idsOf, type MakeBench } from './bench.ts';

export function sharing(bench: MakeBench): void {
  test('two connections that claim alternately and at once never get the same job, and together get all', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    await b.worker('w2');
    const all = Array.from({ length: 200 }, (_, i) => newJob(`j${i}`, { priority: i % 3 }));
    await b.store.enqueue(all);
    const claimed: string[] = [];
    const drain = async (workerId: string, store = b.store): Promise<void> => {
      for (;;) {
        const turn = await b.turn({ want: 3 }, workerId, store);
        if (turn.claimed.length === 0) return;
        claimed.push(...idsOf(turn.claimed));
        const ended = turn.claimed.map(({ seq, run }) => ({ seq, run, ending: endings.completed }));
        const { settled } = await b.turn({ ended }, workerId, store);
        assert.ok(settled.every(({ state }) => state === 'completed'));
      }
    };
    await Promise.all([drain('w1'), drain('w2', other)]);
    assert.equal(claimed.length, 200);
    assert.equal(new Set(claimed).size, 200);
  });

  test('one connection sees what another wrote', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    await b.enqueue('a');
    assert.equal((await other.find('a')).state, 'pending');
    await b.take('a');
    assert.equal((await other.get('a'))?.lockedBy, 'w1');
    await other.cancel(['a']);
    assert.equal((await b.turn()).cancelling.length, 1);
  });

  test('an ID requested twice at once goes to one job', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    const both = await Promise.allSettled([b.store.enqueue([newJob('a')]), other.enqueue([newJob('a')])]);
    const rejections = both.filter((result) => result.status === 'rejected');
    assert.equal(rejections.length, 1);
    await rejection('job_exists', () => Promise.reject(rejections[0]?.reason));
    assert.deepEqual(await b.ids(), ['a']);
  });

  test('many concurrent writers all succeed', async (t) => {
    const b = await bench(t);
    const stores = [b.store, await b.open(), await b.open(), await b.open()];
    await Promise.all(
      stores.flatMap((store, s) => Array.from({ length: 25 }, (_, i) => store.enqueue([newJob(`j${s}-${i}`)]))),
    );
    assert.equal((await b.ids()).length, 100);
    assert.deepEqual(await b.store.check(), []);
  });

  test('max_concurrent_jobs applies across connections', async (t) => {
    const b = await bench(t);
    const other = await b.open();
    await b.worker('w2');
    await b.enqueue(...Array.from({ length: 10 }, (_, i) => `j${i}`));
    const [one, two] = await Promise.all([
      b.turn({ want: 5, maxConcurrentJobs: 4 }),
      b.turn({ want: 5, maxConcurrentJobs: 4 }, 'w2', other),
    ]);
    assert.equal(one.claimed.length + two.claimed.length, 4);
  });

  test('everything persists when the queue is opened again', async (t) => {
    const b = await bench(t);
    await b.jobIn('failed');
    await b.jobIn('processing');
    const [jobs, histories] = [await b.all(), await b.store.history('failed')];
    await b.store.close();
    const again = await b.open();
    assert.deepEqual(await again.list({ sort: 'created', descending: false, limit: null }), jobs);
    assert.deepEqual(await again.history('failed'), histories);
    assert.equal((await again.workers()).length, 1);
  });
}
