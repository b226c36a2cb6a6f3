// Workers as a program sees them: what they do, who is lost, and who would take a job.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { addDeadWorker, addWorker, claim, openQueue } from '../support/library.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

const stateOf = async (queue: Queue, id: string) => (await queue.workers()).find((worker) => worker.id === id)?.state;

test("a worker's activity is one word", async (t) => {
  const queue = await openQueue(t);
  for (const id of ['idle', 'busy', 'stopping']) await addWorker(queue, id);
  await queue.enqueue([job('a'), job('b')]);
  await claim(queue, 'a', 'busy');
  await claim(queue, 'b', 'stopping');
  await queue.store.requestStop(['stopping'], 'graceful');
  for (const id of ['idle', 'busy', 'stopping']) assert.equal(await stateOf(queue, id), id);
});

test('a worker that is dead, declared lost, or invisible and silent for a lease is lost', async (t) => {
  const queue = await openQueue(t);
  await addDeadWorker(queue, 'dead');
  await addWorker(queue, 'condemned');
  await queue.store.condemn('condemned');
  await addWorker(queue, 'silent', { bootId: 'elsewhere', leaseMs: -1 });
  await addWorker(queue, 'unseen', { bootId: 'elsewhere', leaseMs: 60_000 });
  await addWorker(queue, 'late', { leaseMs: -1 });
  for (const id of ['dead', 'condemned', 'silent']) assert.equal(await stateOf(queue, id), 'lost', id);
  for (const id of ['unseen', 'late']) assert.equal(await stateOf(queue, id), 'idle', id);
});

test('a queue is served only by workers that would claim its jobs', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'for all');
  await addWorker(queue, 'for mail', { queues: ['mail', 'print'] });
  await addWorker(queue, 'for others', { queues: ['print'] });
  await addWorker(queue, 'for one job', { onlyJob: 'a' });
  await addWorker(queue, 'leaving');
  await queue.store.requestStop(['leaving'], 'graceful');
  await addDeadWorker(queue, 'dead');
  const serving = async (name: string) => (await queue.workersServing(name)).map(({ id }) => id).sort();
  assert.deepEqual(await serving('mail'), ['for all', 'for mail']);
  assert.deepEqual(await serving('default'), ['for all']);
});

test('a busy worker still serves its queue', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'w');
  await claim(queue, 'a', 'w');
  assert.equal((await queue.workersServing('default')).length, 1);
});
