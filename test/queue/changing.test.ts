// Jobs that a program finds, retries and removes, by ids and prefixes: all of them or none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { addDeadWorker, addWorker, openQueue, runJob } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

const ALL = { sort: 'created', descending: false, limit: null } as const;

const idsIn = async (queue: Queue): Promise<string[]> => (await queue.list(ALL)).map(({ id }) => id);
const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

test('jobs are returned in the order they are named, duplicates once', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('apple'), job('banana'), job('cherry')]);
  const found = await queue.findAll(['cherry', 'app', 'cherry', 'apple', 'ban']);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['cherry', 'apple', 'banana'],
  );
  assert.deepEqual(await queue.findAll([]), []);
});

test('an unknown or ambiguous name is rejected, and nothing changes', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('apple'), job('apricot'), job('banana')]);
  for (const change of [
    (ids: string[]) => queue.findAll(ids),
    (ids: string[]) => queue.cancel(ids),
    (ids: string[]) => queue.remove(ids),
  ]) {
    await rejection('ambiguous_id', () => change(['banana', 'ap']));
    await rejection('job_not_found', () => change(['banana', 'pear']));
  }
  assert.deepEqual(
    (await queue.list(ALL)).map(({ state }) => state),
    ['pending', 'pending', 'pending'],
  );
});

test('a retry can be limited to states, and retries all or none', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('good'), job('bad', { max_retries: 0 })]);
  await runJob(queue, 'good', 'w', 'completed');
  await runJob(queue, 'bad', 'w', 'failed');
  await rejection('wrong_state', () => queue.retry(['bad', 'good'], ['dead']));
  assert.equal((await queue.find('bad')).state, 'dead');
  assert.deepEqual(
    (await queue.retry(['good', 'bad'])).map(({ state, attempts }) => [state, attempts]),
    [
      ['pending', 0],
      ['pending', 0],
    ],
  );
});

test('a deleted job is returned as it was, and its history is deleted', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a')]);
  await runJob(queue, 'a', 'w', 'completed');
  assert.equal((await queue.history('a')).length, 1);
  assert.deepEqual(
    (await queue.remove(['a'])).map(({ id, state }) => [id, state]),
    [['a', 'completed']],
  );
  await rejection('job_not_found', () => queue.find('a'));
  assert.deepEqual(await queue.history('a'), []);
});

test('pruning reports its progress and its total', async (t) => {
  const queue = await openQueue(t);
  const ids = Array.from({ length: 1100 }, (_, i) => `job-${i}`);
  await queue.enqueue(ids.map((id) => job(id)));
  await queue.cancel(ids.slice(0, 1050));
  const steps: number[] = [];
  assert.equal(await queue.prune({ states: ['cancelled'] }, { onProgress: (done) => steps.push(done) }), 1050);
  assert.ok(steps.length > 1 && steps.at(-1) === 1050, `${steps}`);
  assert.equal((await idsIn(queue)).length, 50);
  assert.equal(await queue.prune({ states: ['cancelled'] }), 0);
});

test('a reset deletes jobs and workers, and keeps the settings', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('max_retries', '7');
  await queue.enqueue([job('a'), job('b')]);
  await addDeadWorker(queue, 'w');
  assert.equal(await queue.reset(), 2);
  assert.deepEqual([await idsIn(queue), await queue.workers()], [[], []]);
  assert.equal((await queue.settings()).number('max_retries'), 7);
});

test('a bulk operation can be interrupted, and completed batches stay', async (t) => {
  const queue = await openQueue(t);
  const ids = Array.from({ length: 3000 }, (_, i) => `j${i}`);
  await queue.enqueue(ids.map((id) => job(id)));
  let isStopped = false;
  setTimeout(() => {
    isStopped = true;
  }, 1);
  const { jobs } = await queue.changeMany(ids, {}, { kind: 'cancel' }, { isStopped: () => isStopped });
  assert.ok(jobs > 0 && jobs < ids.length, `${jobs} jobs`);
  assert.equal(await queue.countOf({ states: ['cancelled'] }), jobs);
  assert.equal(await queue.changeAll({}, { kind: 'cancel' }), ids.length - jobs);
});
