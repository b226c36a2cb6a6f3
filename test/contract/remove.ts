// Jobs out: some, or all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejection } from '../support/rejection.ts';
import { type MakeBench, REACHABLE } from './bench.ts';

export function removing(bench: MakeBench): void {
  for (const state of REACHABLE.filter((from) => from !== 'processing')) {
    test(`a ${state} job is deleted with its history, and its logs are named`, async (t) => {
      const b = await bench(t);
      const { attempts } = await b.jobIn(state);
      const removed = await b.store.remove([state]);
      assert.deepEqual(removed, { jobs: 1, logPaths: attempts === 1 ? [`logs/${state}.1`] : [] });
      assert.equal(await b.store.get(state), null);
      assert.deepEqual(await b.store.history(state), []);
      b.later(60_000);
      assert.deepEqual(await b.claim(5), []);
    });
  }

  test('a running job is not deleted, and the hint names the way to stop it', async (t) => {
    const b = await bench(t);
    await b.jobIn('processing', 'a');
    const { message, hint } = await rejection('wrong_state', () => b.store.remove(['a']));
    assert.match(message, /'a' is processing; delete requires/);
    assert.match(hint ?? '', /queuectl cancel a/);
    assert.equal((await b.job('a')).state, 'processing');
  });

  test('several jobs are deleted all or none', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    await b.jobIn('processing');
    await rejection('wrong_state', () => b.store.remove(['completed', 'processing']));
    await rejection('job_not_found', () => b.store.remove(['completed', 'unknown']));
    assert.deepEqual(await b.ids(), ['completed', 'processing']);
    await b.enqueue('a', 'b');
    assert.equal((await b.store.remove(['b', 'completed'])).jobs, 2);
    assert.deepEqual(await b.ids(), ['processing', 'a']);
  });

  test('a reset deletes every job, attempt and worker, and keeps the settings', async (t) => {
    const b = await bench(t);
    for (const state of REACHABLE) await b.jobIn(state);
    await b.store.saveSetting('max_retries', 7);
    const { jobs, logPaths } = await b.store.reset();
    assert.equal(jobs, REACHABLE.length);
    const ran = ['completed', 'dead', 'failed', 'processing'];
    assert.deepEqual(
      logPaths.toSorted(),
      ran.map((id) => `logs/${id}.1`),
    );
    assert.deepEqual(await b.ids(), []);
    assert.deepEqual(await b.store.workers(), []);
    assert.deepEqual(await b.store.overview(), { queues: [], nextRetryAt: null, nextDueAt: null });
    assert.equal((await b.store.figures()).attempts, 0);
    assert.deepEqual(await b.store.settings(), { max_retries: 7 });
    assert.deepEqual(await b.store.check(), []);
  });

  test('a reset of an empty queue succeeds', async (t) => {
    const { store } = await bench(t);
    assert.deepEqual(await store.reset(), { jobs: 0, logPaths: [] });
  });
}
