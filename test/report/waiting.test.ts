// Why a job is not running: each reason where it holds, and only there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewJobInput, Queue } from '../../src/queue.ts';
import { waitsFor } from '../../src/report/waiting.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob } from '../support/library.ts';
import { sign } from '../support/workers.ts';

const job = (id: string, more: object = {}): NewJobInput => ({ id, command: 'true', ...more });

const waits = async (queue: Queue, id: string) => waitsFor(queue, await queue.find(id));
const reasons = async (queue: Queue, id: string): Promise<string[]> =>
  (await waits(queue, id)).map(({ reason }) => reason);

test('without any worker a job waits for one, and the hint starts it', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { queue: 'mail' })]);
  assert.deepEqual(await waits(queue, 'a'), [
    { reason: 'no_worker', message: 'no worker is running', hint: 'queuectl worker start' },
  ]);
});

test('beside workers of other queues the hint names the queue that has none', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { queue: 'mail' }), job('b')]);
  await addWorker(queue, 'w', { queues: ['print'] });
  assert.deepEqual(await waits(queue, 'a'), [
    {
      reason: 'no_worker',
      message: 'no worker serves queue mail',
      hint: 'queuectl worker start --queue mail',
    },
  ]);
  assert.equal((await waits(queue, 'b'))[0]?.hint, 'queuectl worker start');
});

test('a worker that leaves, died or runs another job alone is none to wait for', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'leaving');
  await queue.store.requestStop(['leaving'], 'graceful');
  await addDeadWorker(queue, 'dead');
  await addWorker(queue, 'private', { onlyJob: 'other' });
  assert.deepEqual(await reasons(queue, 'a'), ['no_worker']);
});

test('before its time a job waits for that, and for a worker only if nobody would take it then', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { delay_seconds: 500 }), job('b')]);
  assert.deepEqual(await reasons(queue, 'a'), ['its_time', 'no_worker']);
  await addWorker(queue, 'w');
  await claim(queue, 'b', 'w');
  assert.deepEqual(await reasons(queue, 'a'), ['its_time'], 'its worker may be free by then');
});

test('a failed job waits for its next attempt in the same way', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a', { backoff_base: 500, backoff_strategy: 'fixed' })]);
  await runJob(queue, 'a', 'w', 'failed');
  assert.deepEqual(await reasons(queue, 'a'), ['its_time']);
});

test('a job whose workers are all busy waits for them', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['a', 'b', 'c', 'd'].map((id) => job(id)));
  await addWorker(queue, 'w', { concurrency: 2 });
  await claim(queue, 'a', 'w');
  assert.deepEqual(await reasons(queue, 'd'), ['next_turn'], 'it has room for another one');
  await claim(queue, 'b', 'w');
  const [only] = await waits(queue, 'd');
  assert.deepEqual([only?.reason, only?.message], ['busy_workers', 'its only worker is busy']);
  await addWorker(queue, 'x');
  await claim(queue, 'c', 'x');
  assert.equal((await waits(queue, 'd'))[0]?.message, 'all 2 workers are busy');
});

test('a limit that is reached is named before busy workers: more of them would not help', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('max_concurrent_jobs', '1');
  await queue.enqueue([job('a'), job('b')]);
  await addWorker(queue, 'w');
  assert.deepEqual(await reasons(queue, 'b'), ['next_turn'], 'nothing runs yet');
  await claim(queue, 'a', 'w');
  const [limit] = await waits(queue, 'b');
  assert.deepEqual(
    [limit?.reason, limit?.message],
    ['max_concurrent_jobs', 'max_concurrent_jobs is reached (1 of 1 run)'],
  );
});

test('workers in trouble are named when all of them are', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'w');
  await queue.store.renew('w', sign('the disk is full'));
  const [trouble] = await waits(queue, 'a');
  assert.deepEqual(
    [trouble?.reason, trouble?.message],
    ['degraded_workers', 'its workers are in trouble: the disk is full'],
  );
  await addWorker(queue, 'healthy');
  assert.deepEqual(await reasons(queue, 'a'), ['next_turn']);
});

test('a job that runs waits for nothing, unless its worker is lost', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('runs'), job('stuck', { queue: 'mail' })]);
  await addWorker(queue, 'w');
  await claim(queue, 'runs', 'w');
  await addDeadWorker(queue, 'dead');
  await claim(queue, 'stuck', 'dead');
  assert.deepEqual(await waits(queue, 'runs'), []);
  assert.deepEqual(await waits(queue, 'stuck'), [
    {
      reason: 'lost_worker',
      message: 'its worker dead is lost',
      hint: 'another takes it over within seconds',
    },
  ]);
});

test('a job whose only worker is lost waits for somebody to start another', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('stuck')]);
  await addDeadWorker(queue, 'dead');
  await claim(queue, 'stuck', 'dead');
  assert.equal((await waits(queue, 'stuck'))[0]?.hint, 'queuectl worker start');
});

test('a job that has ended waits for nothing', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('done'), job('dead', { max_retries: 0 }), job('gone')]);
  await runJob(queue, 'done', 'w', 'completed');
  await runJob(queue, 'dead', 'w', 'failed');
  await queue.cancel(['gone']);
  for (const id of ['done', 'dead', 'gone']) assert.deepEqual(await waits(queue, id), [], id);
});
