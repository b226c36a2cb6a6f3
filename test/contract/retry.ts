// A person wants a job again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allows, TRANSITIONS } from '../../src/job/lifecycle.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { idsOf, type MakeBench, REACHABLE } from './bench.ts';

const ANY = TRANSITIONS.retry.from;

export function retrying(bench: MakeBench): void {
  for (const state of REACHABLE.filter((from) => allows('retry', from))) {
    test(`a ${state} job runs again now with attempts reset to 0`, async (t) => {
      const b = await bench(t);
      const { attempts } = await b.jobIn(state);
      b.later(50);
      const [job] = await b.store.retry([state], ANY);
      assert.deepEqual(job, await b.job(state));
      assert.deepEqual(
        [job?.state, job?.attempts, job?.nextRunAt, job?.finishedAt, job?.updatedAt],
        ['pending', 0, T0 + 50, null, T0 + 50],
      );
      assert.equal((await b.take(state)).run, attempts + 1);
    });
  }

  for (const state of REACHABLE.filter((from) => !allows('retry', from))) {
    test(`a ${state} job cannot be retried`, async (t) => {
      const b = await bench(t);
      const before = await b.jobIn(state);
      const { message, exitCode } = await rejection('wrong_state', () => b.store.retry([state], ANY));
      assert.match(message, new RegExp(`'${state}' is ${state}; retry requires a job that is failed, completed, dead`));
      assert.equal(exitCode, 4);
      assert.deepEqual(await b.job(state), before);
    });
  }

  test('only requested states are retried', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed');
    const { message } = await rejection('wrong_state', () => b.store.retry(['completed'], ['dead']));
    assert.match(message, /; retry requires a job that is dead$/);
  });

  test('states that the table forbids are not retried, even if requested', async (t) => {
    const b = await bench(t);
    await b.jobIn('processing');
    await rejection('wrong_state', () => b.store.retry(['processing'], ['processing', 'dead']));
  });

  test('a retried job with a start time runs now, not at its old time', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { runAt: T0 + 60_000 }));
    await b.store.cancel(['a']);
    await b.store.retry(['a'], ANY);
    assert.deepEqual(idsOf(await b.claim()), ['a']);
  });

  test('a retried job has all its retries again', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { maxRetries: 1, backoffBase: 0, backoffStrategy: 'fixed' }));
    for (const state of ['failed', 'dead']) assert.equal((await b.run('a', 'failed')).state, state);
    await b.store.retry(['a'], ['dead']);
    for (const state of ['failed', 'dead']) assert.equal((await b.run('a', 'failed')).state, state);
    assert.equal((await b.store.history('a')).length, 4);
  });

  test('workers lost before a retry do not count', async (t) => {
    const b = await bench(t);
    await b.enqueue('a');
    for (let i = 0; i < 3; i++) await b.run('a', 'worker_lost');
    await b.store.retry(['a'], ['dead']);
    assert.equal((await b.run('a', 'worker_lost')).state, 'pending');
  });

  test('several jobs are retried all or none', async (t) => {
    const b = await bench(t);
    const before = [await b.jobIn('dead'), await b.jobIn('pending'), await b.jobIn('failed')];
    await rejection('wrong_state', () => b.store.retry(['dead', 'failed', 'pending'], ANY));
    await rejection('job_not_found', () => b.store.retry(['dead', 'failed', 'unknown'], ANY));
    assert.deepEqual(await b.all(), before);
    const retried = await b.store.retry(['failed', 'dead'], ANY);
    assert.deepEqual(
      retried.map(({ id, state }) => [id, state]),
      [
        ['failed', 'pending'],
        ['dead', 'pending'],
      ],
    );
  });

  test('all matching jobs are retried at once and counted', async (t) => {
    const b = await bench(t);
    for (const id of ['d1', 'd2']) await b.jobIn('dead', id);
    for (const state of REACHABLE) await b.jobIn(state);
    assert.equal(await b.retryAll({ states: ['dead'] }), 3);
    assert.equal(await b.retryAll({ states: ['dead'] }), 0);
    const states = Object.fromEntries((await b.all()).map(({ id, state }) => [id, state]));
    assert.deepEqual(states, {
      d1: 'pending',
      d2: 'pending',
      pending: 'pending',
      processing: 'processing',
      failed: 'failed',
      completed: 'completed',
      dead: 'pending',
      cancelled: 'cancelled',
    });
  });

  test('retrying all skips states that the table forbids', async (t) => {
    const b = await bench(t);
    for (const state of REACHABLE) await b.jobIn(state);
    assert.equal(await b.retryAll({}), 4);
    assert.equal((await b.job('processing')).state, 'processing');
  });

  test('retrying all can be limited to a queue or a search', async (t) => {
    const b = await bench(t);
    for (const queue of ['default', 'mail']) {
      await b.enqueue(newJob(`x-${queue}`, { queue }), newJob(`y-${queue}`, { queue }));
    }
    await b.store.cancel(await b.ids());
    assert.equal(await b.retryAll({ states: ['cancelled'], queue: 'mail', search: 'x-' }), 1);
    assert.equal((await b.job('x-mail')).state, 'pending');
  });
}
