// A clock that was ahead and is set right: nobody waits for hours because of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newJob, T0 } from '../support/jobs.ts';
import { idsOf, type MakeBench } from './bench.ts';

const HOUR = 3_600_000;

export function repairingBackoffs(bench: MakeBench): void {
  test('a job that failed in the future waits its delay from now', async (t) => {
    const b = await bench(t);
    b.later(5 * HOUR);
    await b.jobIn('failed', 'a');
    b.later(-5 * HOUR);
    assert.equal(await b.store.repairBackoffs(), 1);
    assert.equal((await b.job('a')).nextRunAt, T0 + 2000);
    b.later(2000);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });

  test('happens once', async (t) => {
    const b = await bench(t);
    b.later(5 * HOUR);
    for (const id of ['a', 'b']) await b.jobIn('failed', id);
    b.later(-5 * HOUR);
    assert.equal(await b.store.repairBackoffs(), 2);
    assert.equal(await b.store.repairBackoffs(), 0);
  });

  test('leaves jobs alone that failed in the past or were told to wait', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('slow', { backoffBase: 3000, backoffStrategy: 'fixed' }));
    await b.run('slow', 'failed');
    b.later(5 * HOUR);
    await b.enqueue(newJob('scheduled', { runAt: b.now + HOUR }));
    b.later(-5 * HOUR);
    const before = await b.all();
    assert.equal(await b.store.repairBackoffs(), 0);
    assert.deepEqual(await b.all(), before);
  });
}
