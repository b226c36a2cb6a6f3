// A part of a flow again: some jobs run now, those that wait for them wait anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dependency, DependencyRule } from '../../src/job/flow/dependencies.ts';
import type { NewJob } from '../../src/job/job.ts';
import type { Rerun } from '../../src/job/flow/rerun.ts';
import { newJob, T0 } from '../support/jobs.ts';
import { rejection } from '../support/rejection.ts';
import { type Bench, idsOf, type MakeBench } from './bench.ts';

const on = (parent: string, rule: DependencyRule = 'success'): Dependency => ({
  kind: 'job',
  on: parent,
  rule,
});
const after = (id: string, dependsOn: readonly Dependency[], more: Partial<NewJob> = {}): NewJob =>
  newJob(id, { dependsOn, maxRetries: 0, ...more });

const rerun = (b: Bench, wanted: Partial<Rerun>): Promise<void> =>
  b.store.rerun({ retry: [], block: [], release: [], ...wanted });

async function advance(b: Bench): Promise<void> {
  while ((await b.store.dependencies.advance(100)).more);
}

async function states(b: Bench): Promise<string> {
  await advance(b);
  return (await b.all()).map(({ id, state }) => `${id} ${state}`).join(', ');
}

/** a is dead, so b and c never ran. */
async function failedChain(b: Bench): Promise<void> {
  await b.enqueue(newJob('a', { maxRetries: 0 }), after('b', [on('a')]), after('c', [on('b')]));
  await b.run('a', 'failed');
  assert.equal(await states(b), 'a dead, b cancelled, c cancelled');
}

export function rerunning(bench: MakeBench): void {
  test('dependents of a rerun job wait for it and run when it has completed', async (t) => {
    const b = await bench(t);
    await failedChain(b);
    b.later(50);
    await rerun(b, { retry: ['a'], block: ['b', 'c'] });
    assert.equal(await states(b), 'a pending, b blocked, c blocked');
    const { attempts, finishedAt, nextRunAt, updatedAt } = await b.job('b');
    assert.deepEqual([attempts, finishedAt, nextRunAt, updatedAt], [0, null, null, T0 + 50]);
    assert.deepEqual(
      (await b.store.dependencies.ofJob('b')).map(({ outcome }) => outcome),
      [null],
    );
    await b.run('a', 'completed');
    assert.equal(await states(b), 'a completed, b pending, c blocked');
    await b.run('b', 'completed');
    assert.equal(await states(b), 'a completed, b completed, c pending');
  });

  test('a rerun that would close a cycle through a group is rejected', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g' }));
    await b.run('a', 'completed');
    await b.enqueue(after('b', [{ kind: 'group', on: 'g', rule: 'success' }]));
    await b.run('b', 'completed');
    await b.enqueue(after('c', [on('b')], { group: 'g' }));
    await b.run('c', 'completed');
    const { message } = await rejection('dependency_cycle', () => rerun(b, { retry: ['a'], block: ['b', 'c'] }));
    assert.match(message, /b -> group:g -> c -> b|c -> b -> group:g -> c|group:g -> c -> b -> group:g/);
    assert.equal(await states(b), 'a completed, b completed, c completed');
    await rerun(b, { retry: ['a'], block: ['b'] });
    await b.run('a', 'completed');
    assert.equal(await states(b), 'a completed, b pending, c completed');
  });

  test('dependents are decided anew if the job fails again', async (t) => {
    const b = await bench(t);
    await failedChain(b);
    await rerun(b, { retry: ['a'], block: ['b', 'c'] });
    await b.run('a', 'failed');
    assert.equal(await states(b), 'a dead, b cancelled, c cancelled');
  });

  test('parents that do not run again keep their result', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', newJob('b', { maxRetries: 0 }), after('c', [on('a'), on('b')]));
    await b.run('a', 'completed');
    await b.run('b', 'failed');
    assert.equal(await states(b), 'a completed, b dead, c cancelled');
    await rerun(b, { retry: ['b'], block: ['c'] });
    assert.deepEqual(
      (await b.store.dependencies.ofJob('c')).map(({ outcome }) => outcome),
      ['completed', null],
    );
    await b.run('b', 'completed');
    assert.equal(await states(b), 'a completed, b completed, c pending');
  });

  test('a result that dependents have not seen is discarded', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { maxRetries: 0 }), after('b', [on('a')]));
    await b.run('a', 'failed');
    await rerun(b, { retry: ['a'], block: ['b'] });
    assert.equal(await states(b), 'a pending, b blocked');
  });

  test('dependents of a group wait for it again', async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { group: 'g', maxRetries: 0 }), newJob('b', { group: 'g' }));
    await b.enqueue(after('c', [{ kind: 'group', on: 'g', rule: 'success' }]));
    await b.run('a', 'failed');
    await b.run('b', 'completed');
    assert.equal(await states(b), 'a dead, b completed, c cancelled');
    await rerun(b, { retry: ['a'], block: ['c'] });
    assert.equal(await states(b), 'a pending, b completed, c blocked');
    await b.run('a', 'completed');
    assert.equal(await states(b), 'a completed, b completed, c pending');
  });

  test('a ready job waits again and is not claimed', async (t) => {
    const b = await bench(t);
    await b.enqueue('a', after('b', [on('a')]));
    await b.run('a', 'completed');
    assert.equal(await states(b), 'a completed, b pending');
    await rerun(b, { retry: ['a'], block: ['b'] });
    assert.deepEqual(idsOf(await b.claim(5)), ['a']);
  });

  test("a job held because of its parent's result is released", async (t) => {
    const b = await bench(t);
    await b.enqueue(newJob('a', { maxRetries: 0 }), after('b', [on('a')], { onDependencyFailure: 'hold' }));
    await b.run('a', 'failed');
    await advance(b);
    assert.match((await b.job('b')).held ?? '', /is dead/);
    await rerun(b, { retry: ['a'], block: ['b'], release: ['b'] });
    await b.run('a', 'completed');
    await advance(b);
    assert.deepEqual(idsOf(await b.claim(5)), ['b']);
  });

  test('a running job is rejected, and nothing changes', async (t) => {
    const b = await bench(t);
    await failedChain(b);
    await b.enqueue('d');
    await b.take('d');
    const before = await b.all();
    await rejection('wrong_state', () => rerun(b, { retry: ['a', 'd'], block: ['b'] }));
    await rejection('wrong_state', () => rerun(b, { retry: ['a'], block: ['b', 'd'] }));
    await rejection('job_not_found', () => rerun(b, { retry: ['a', 'nobody'], block: ['b'] }));
    assert.deepEqual(await b.all(), before);
  });
}
