// What commands, reports and programs read through the facade, and the types of what they enqueue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../src/job/job.ts';
import type { NewJobInput } from '../../src/queue/queue.ts';
import { openQueue } from '../support/library.ts';
import { rejection } from '../support/rejection.ts';

test('a program enqueues jobs by typed fields and overrides them', async (t) => {
  const queue = await openQueue(t);
  const jobs: NewJobInput[] = [
    { id: 'a', command: 'true', max_attempts: 2 },
    { cmd: ['echo', 'b'], timeout: '5m' },
  ];
  const [a, b] = await queue.enqueue(jobs, { queue: 'mail' });
  assert.deepEqual([a?.id, a?.maxRetries, a?.queue], ['a', 1, 'mail']);
  assert.deepEqual([b?.command, b?.timeoutSeconds, b?.queue], [['echo', 'b'], 300, 'mail']);
});

test('values that the types forbid are rejected at run time as well, and nothing is stored', async (t) => {
  const queue = await openQueue(t);
  // @ts-expect-error: there is no such field
  await rejection('invalid_job', () => queue.enqueue([{ command: 'true' }, { command: 'true', prioritty: 1 }]));
  // @ts-expect-error: a job needs a command
  await rejection('command_required', () => queue.enqueue([{ id: 'a' }]));
  const { read } = await queue.intake();
  await rejection('invalid_job', () => read(JSON.parse('"true"')));
  assert.equal(await queue.countOf({}), 0);
});

test('jobs are counted by state and queue, and not by fields without counters', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([{ command: 'a' }, { command: 'b', queue: 'mail' }, { command: 'c', queue: 'mail' }]);
  assert.equal(await queue.countOf({}), 3);
  assert.equal(await queue.countOf({ queue: 'mail' }), 2);
  assert.equal(await queue.countOf({ queue: 'mail', states: ['dead'] }), 0);
  assert.equal(await queue.countOf({ states: STATES, search: '' }), 3);
  assert.equal(await queue.countOf({ search: 'b' }), null);
});

test('jobs are read by ID, in the given order, without deleted ones', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['a', 'b', 'c'].map((id) => ({ id, command: id })));
  const ids = await queue.idsOf({ sort: 'created', descending: true, limit: null });
  assert.deepEqual(ids, ['c', 'b', 'a']);
  await queue.remove(['b']);
  assert.deepEqual(
    (await queue.getAll(ids)).map(({ id }) => id),
    ['c', 'a'],
  );
  assert.equal(await queue.get('b'), null);
  assert.equal((await queue.get('a'))?.command, 'a');
});

test('the number of jobs that prune would delete is known in advance', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['a', 'b'].map((id) => ({ id, command: id })));
  await queue.cancel(['a']);
  const query = { states: ['cancelled'] as const };
  assert.equal(await queue.prunable(query), 1);
  assert.equal(await queue.prune(query), 1);
  assert.equal(await queue.prunable(query), 0);
});

test('a healthy empty queue has no findings', async (t) => {
  const queue = await openQueue(t);
  assert.deepEqual(await queue.check(), []);
  assert.equal((await queue.figures()).attempts, 0);
  assert.equal(queue.spansHosts, false);
  assert.ok(Math.abs(queue.now() - Date.now()) < 60_000);
});
