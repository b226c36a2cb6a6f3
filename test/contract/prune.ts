// Old jobs out: by age, by number, a few at a time, and only what is final.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FINAL_STATES, STATES } from '../../src/job/job.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { type Bench, type MakeBench, REACHABLE } from './bench.ts';

/** Completed a second apart: c0 at T0, c1 a second later, ... */
async function completeEach(b: Bench, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await b.jobIn('completed', `c${i}`);
    b.later(1000);
  }
}

export function pruning(bench: MakeBench): void {
  test('jobs that finished before the given time are deleted, others stay', async (t) => {
    const b = await bench(t);
    await completeEach(b, 4);
    const removed = await b.store.prune({ states: ['completed'], finishedBefore: T0 + 2000 }, 100);
    assert.deepEqual(removed, { jobs: 2, logPaths: ['logs/c0.1', 'logs/c1.1'] });
    assert.deepEqual(await b.ids(), ['c2', 'c3']);
  });

  test('a time between two milliseconds is accepted', async (t) => {
    const b = await bench(t);
    await completeEach(b, 2);
    await b.store.prune({ states: ['completed'], finishedBefore: T0 + 0.4 }, 100);
    assert.deepEqual(await b.ids(), ['c1']);
  });

  test('the newest jobs of each state are kept', async (t) => {
    const b = await bench(t);
    await completeEach(b, 4);
    await b.jobIn('dead', 'd0');
    await b.jobIn('dead', 'd1');
    assert.equal((await b.store.prune({ states: ['completed', 'dead'], keep: 1 }, 100)).jobs, 4);
    assert.deepEqual(await b.ids(), ['c3', 'd1']);
  });

  test('age and number together delete only jobs that are old and not among the newest', async (t) => {
    const b = await bench(t);
    await completeEach(b, 4);
    await b.store.prune({ states: ['completed'], keep: 1, finishedBefore: T0 + 1500 }, 100);
    assert.deepEqual(await b.ids(), ['c2', 'c3']);
    await b.store.prune({ states: ['completed'], keep: 2, finishedBefore: T0 + 60_000 }, 100);
    assert.deepEqual(await b.ids(), ['c2', 'c3']);
  });

  test('a call deletes at most its limit, oldest first, until no job is left', async (t) => {
    const b = await bench(t);
    await completeEach(b, 5);
    const counts: number[] = [];
    for (let i = 0; i < 4; i++) counts.push((await b.store.prune({ states: [...FINAL_STATES] }, 2)).jobs);
    assert.deepEqual(counts, [2, 2, 1, 0]);
  });

  test('the limit applies to several states together', async (t) => {
    const b = await bench(t);
    for (const state of FINAL_STATES) for (const n of [1, 2]) await b.jobIn(state, `${state}${n}`);
    assert.equal((await b.store.prune({ states: FINAL_STATES }, 3)).jobs, 3);
  });

  test('the oldest jobs are deleted first', async (t) => {
    const b = await bench(t);
    await completeEach(b, 3);
    await b.store.prune({ states: ['completed'] }, 1);
    assert.deepEqual(await b.ids(), ['c1', 'c2']);
  });

  test('a single queue can be pruned', async (t) => {
    const b = await bench(t);
    for (const queue of ['default', 'mail']) {
      await b.enqueue(newJob(`a-${queue}`, { queue }), newJob(`b-${queue}`, { queue }));
    }
    await b.store.cancel(await b.ids());
    await b.store.prune({ states: ['cancelled'], queue: 'mail', keep: 1 }, 100);
    assert.deepEqual(await b.ids(), ['a-default', 'b-default', 'b-mail']);
  });

  test('unfinished jobs stay, whatever is requested', async (t) => {
    const b = await bench(t);
    for (const state of REACHABLE) await b.jobIn(state);
    b.later(1000);
    assert.equal((await b.store.prune({ states: STATES, finishedBefore: b.now }, 100)).jobs, 3);
    assert.deepEqual(await b.ids(), ['pending', 'processing', 'failed']);
  });

  test('jobs in other states stay', async (t) => {
    const b = await bench(t);
    for (const state of FINAL_STATES) await b.jobIn(state);
    await b.store.prune({ states: ['completed'] }, 100);
    assert.deepEqual(await b.ids(), ['dead', 'cancelled']);
  });

  test('the logs of all attempts are named', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { backoffBase: 0, backoffStrategy: 'fixed' }));
    await b.run('a', 'failed');
    await b.run('a', 'completed');
    const { logPaths } = await b.store.prune({ states: ['completed'] }, 100);
    assert.deepEqual(logPaths, ['logs/a.1', 'logs/a.2']);
  });

  test('a retried job is not deleted because it was final once', async (t) => {
    const b = await bench(t);
    await b.jobIn('completed', 'a');
    await b.store.retry(['a'], ['completed']);
    assert.equal((await b.store.prune({ states: STATES }, 100)).jobs, 0);
  });

  test('jobs of a group stay until the whole group has finished and its dependents were updated', async (t) => {
    const b = await bench(t);
    const inGroup = (id: string) => newJob(id, { group: 'g', maxRetries: 0 });
    const last = newJob('last', { dependsOn: [{ kind: 'group', on: 'g', rule: 'success' }] });
    await b.enqueue(inGroup('bad'), inGroup('good'), last);
    await b.run('bad', 'failed');
    const prune = async () => (await b.store.prune({ states: ['dead'] }, 100)).jobs;
    assert.equal(await prune(), 0, 'the group is unfinished');
    await b.run('good', 'completed');
    assert.equal(await prune(), 0, 'the end of the group is not passed on yet');
    while ((await b.store.dependencies.advance(100)).more);
    assert.equal((await b.job('last')).state, 'cancelled');
    assert.equal(await prune(), 1);
  });
}
