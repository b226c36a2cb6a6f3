// prune and reset: many jobs removed at once, and only when somebody agreed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQueue, ON_SERVER, type TestQueue } from './support.ts';

async function withFinishedJobs(queue: TestQueue): Promise<void> {
  const jobs = [
    { id: 'one', command: 'true' },
    { id: 'two', command: 'true' },
    { id: 'mail', command: 'true', queue: 'mail' },
    { id: 'dead', command: 'false', max_retries: 0 },
  ];
  await queue.prepare('enqueue', JSON.stringify(jobs));
  await queue.drain();
  await queue.prepare('enqueue', '[{"id":"waits","command":"true"},{"id":"gone","command":"true"}]');
  await queue.prepare('cancel', 'gone');
}

const left = async (queue: TestQueue): Promise<unknown[]> => (await queue.jobs()).map(({ id }) => id).sort();

test('prune deletes completed and cancelled jobs only', async (t) => {
  const queue = newQueue(t);
  await withFinishedJobs(queue);
  assert.equal(await queue.text('prune', '--yes'), '4 jobs deleted\n');
  assert.deepEqual(await left(queue), ['dead', 'waits']);
  assert.equal(await queue.text('prune', '--yes'), 'nothing to delete\n');
});

test('prune accepts an age, a number to keep, a state and a queue', async (t) => {
  const queue = newQueue(t);
  await withFinishedJobs(queue);
  assert.equal(await queue.text('prune', '--older-than', '1h', '--yes'), 'nothing to delete\n');
  assert.equal(await queue.text('prune', '--queue', 'mail', '--yes'), '1 job deleted\n');
  assert.equal(await queue.text('prune', '--state', 'cancelled', '--yes'), '1 job deleted\n');
  assert.equal(await queue.text('prune', '--state', 'completed', '--keep', '1', '--yes'), '1 job deleted\n');
  assert.deepEqual(await left(queue), ['dead', 'two', 'waits']);
  assert.equal(await queue.text('prune', '--state', 'dead,completed', '--yes'), '2 jobs deleted\n');
  assert.deepEqual(await left(queue), ['waits']);
});

test('prune rejects invalid arguments and deletes nothing', async (t) => {
  const queue = newQueue(t);
  await withFinishedJobs(queue);
  assert.match(
    await queue.rejected(2, ['prune', '--state', 'pending', '--yes']),
    /'pending'.*\n.*completed, dead, cancelled/,
  );
  assert.match(await queue.rejected(2, ['prune', '--keep', '-1', '--yes']), /--keep/);
  assert.match(await queue.rejected(2, ['prune', '--older-than', 'long', '--yes']), /--older-than must be a duration/);
  assert.equal(await queue.count(), 6);
});

test('without a terminal and without --yes, prune and reset only print what they would do', async (t) => {
  const queue = newQueue(t);
  await withFinishedJobs(queue);
  assert.match(await queue.rejected(2, ['prune']), /would delete 4 jobs.*\n hint: add --yes/);
  assert.match(await queue.rejected(2, ['reset']), /would delete all 6 jobs.*\n hint: add --yes/);
  assert.match(await queue.rejected(2, ['reset'], { input: 'y\n' }), /not a terminal/);
  assert.equal(await queue.count(), 6);
});

test('reset empties the queue and keeps the settings', async (t) => {
  const queue = newQueue(t);
  await queue.prepare('config', 'set', 'max_retries', '7');
  await withFinishedJobs(queue);
  assert.equal(await queue.text('reset', '--yes'), '6 jobs deleted\n');
  assert.equal(await queue.count(), 0);
  assert.equal((await queue.json('status')).completed, 0);
  assert.equal(await queue.text('config', 'get', 'max_retries'), '7\n');
  await queue.finished('--id', 'one', 'true');
  assert.equal((await queue.show('one')).state, 'completed');
  assert.equal((await queue.run(['doctor'])).code, 0);
});

test('reset is rejected while a worker runs, unless it is forced', async (t) => {
  const queue = newQueue(t);
  const worker = await queue.worker();
  await queue.enqueue('--id', 'a', 'exec sleep 60');
  await queue.untilState('a', 'processing');
  assert.match(
    await queue.rejected(4, ['reset', '--yes']),
    /1 worker running.*\n hint: stop the workers first: queuectl worker stop/,
  );
  assert.equal((await queue.show('a')).state, 'processing');
  assert.equal(await queue.text('reset', '--yes', '--force'), '1 job deleted\n');
  assert.equal(await queue.count(), 0);
  await worker.leave();
});

test('workers delete jobs older than the retention', async (t) => {
  const queue = newQueue(t);
  await withFinishedJobs(queue);
  await queue.prepare('delete', 'waits');
  await queue.prepare('config', 'set', 'retention_completed', '0');
  await queue.drain();
  // On a server, the rows of young jobs prove that they were enqueued if the answer to a commit is lost.
  const young = process.env[ON_SERVER] ? ['gone', 'mail', 'one', 'two'] : [];
  assert.deepEqual(await left(queue), ['dead', ...young]);
});
