// A person wants a job ended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allows } from '../../src/job/lifecycle.ts';
import { endings, newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { leaseOf, type MakeBench, policy, REACHABLE } from './bench.ts';
import { rescue } from '../support/workers.ts';

export function cancelling(bench: MakeBench): void {
  for (const state of REACHABLE.filter((from) => allows('cancel', from))) {
    test(`a ${state} job is cancelled immediately`, async (t) => {
      const b = await bench(t);
      await b.jobIn(state);
      b.later(50);
      const [job] = await b.store.cancel([state]);
      assert.deepEqual(job, await b.job(state));
      assert.deepEqual([job?.state, job?.finishedAt, job?.nextRunAt], ['cancelled', T0 + 50, null]);
      b.later(60_000);
      assert.deepEqual(await b.claim(5), []);
    });
  }

  for (const state of REACHABLE.filter((from) => !allows('cancel', from) && !allows('stop', from))) {
    test(`a ${state} job cannot be cancelled`, async (t) => {
      const b = await bench(t);
      const before = await b.jobIn(state);
      const { message } = await rejection('wrong_state', () => b.store.cancel([state]));
      assert.match(message, new RegExp(`'${state}' is ${state}; cancel requires`));
      assert.deepEqual(await b.job(state), before);
    });
  }

  test('a running job continues until its worker, which is notified, has stopped it', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', 'b');
    const [a] = await b.claim(2);
    assert.ok(a);
    assert.deepEqual((await b.turn()).cancelling, []);
    b.later(50);
    const [job] = await b.store.cancel(['a']);
    assert.deepEqual([job?.state, job?.cancelRequestedAt], ['processing', T0 + 50]);
    assert.deepEqual((await b.turn()).cancelling.map(leaseOf), [leaseOf(a)]);
    assert.equal((await b.end(a, 'cancelled'))?.state, 'cancelled');
    assert.deepEqual((await b.turn()).cancelling, []);
    const { state, finishedAt, cancelRequestedAt, lockedBy } = await b.job('a');
    assert.deepEqual([state, finishedAt, cancelRequestedAt, lockedBy], ['cancelled', T0 + 50, null, null]);
  });

  test('a worker is not notified about jobs of other workers', async (t) => {
    const b = await bench(t);
    await b.worker('w2');
    await b.enqueue('a');
    await b.take('a', 'w2');
    await b.store.cancel(['a']);
    assert.deepEqual((await b.turn()).cancelling, []);
    assert.equal((await b.turn({}, 'w2')).cancelling.length, 1);
  });

  test('a running job that fails after a cancel request is cancelled', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const claimed = await b.take('a');
    await b.store.cancel(['a']);
    assert.equal((await b.end(claimed, 'failed'))?.state, 'cancelled');
  });

  test('a running job that completes before it is stopped is completed, and no worker is asked to stop it', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    const lease = leaseOf(await b.take('a'));
    await b.store.cancel(['a']);
    const { settled, cancelling } = await b.turn({ ended: [{ ...lease, ending: endings.completed }] });
    assert.deepEqual([settled[0]?.state, cancelling], ['completed', []]);
  });

  test('a job with a cancel request whose worker is lost is cancelled, not run again', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.take('a');
    await b.store.cancel(['a']);
    await rescue(b.store, 'w1', policy);
    assert.equal((await b.job('a')).state, 'cancelled');
  });

  test('a cancel request expires with its attempt', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    await b.take('a');
    await b.store.cancel(['a']);
    await rescue(b.store, 'w1', policy);
    await b.worker('w1');
    await b.store.retry(['a'], ['cancelled']);
    await b.take('a');
    assert.deepEqual((await b.turn()).cancelling, []);
  });

  test('several jobs are cancelled all or none', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('later', { runAt: T0 + 1000 }));
    const before = [...(await b.all()), await b.jobIn('processing'), await b.jobIn('completed')];
    await rejection('wrong_state', () => b.store.cancel(['a', 'processing', 'completed']));
    await rejection('job_not_found', () => b.store.cancel(['a', 'processing', 'unknown']));
    assert.deepEqual(await b.all(), before);
    const cancelled = await b.store.cancel(['later', 'processing', 'a']);
    assert.deepEqual(
      cancelled.map(({ id, state }) => [id, state]),
      [
        ['later', 'cancelled'],
        ['processing', 'processing'],
        ['a', 'cancelled'],
      ],
    );
  });
}
