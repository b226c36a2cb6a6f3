// Why a job is not running: each reason where it holds, and only there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { waitsFor } from '../../src/report/waiting/waiting.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob, turn } from '../support/library.ts';
import { sign } from '../support/workers.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

const waits = async (queue: Queue, id: string) => waitsFor(queue, await queue.find(id));
const reasons = async (queue: Queue, id: string): Promise<string[]> =>
  (await waits(queue, id)).map(({ reason }) => reason);

test('without any worker a job waits for one, and the hint starts one', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { queue: 'mail' })]);
  assert.deepEqual(await waits(queue, 'a'), [
    { reason: 'no_worker', message: 'no worker is running', hint: 'queuectl worker start' },
  ]);
});

test('next to workers of other queues the hint names the unserved queue', async (t) => {
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

test('a worker that stops, died or runs another single job does not count', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'leaving');
  await queue.store.requestStop(['leaving'], 'graceful');
  await addDeadWorker(queue, 'dead');
  await addWorker(queue, 'private', { onlyJob: 'other' });
  assert.deepEqual(await reasons(queue, 'a'), ['no_worker']);
});

test('a job that is not due waits for its time, and for a worker only if none would claim it then', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { delay_seconds: 500 }), job('b')]);
  assert.deepEqual(await reasons(queue, 'a'), ['scheduled', 'no_worker']);
  await addWorker(queue, 'w');
  await claim(queue, 'b', 'w');
  assert.deepEqual(await reasons(queue, 'a'), ['scheduled'], 'its worker may be free by then');
});

test('a failed job waits for its next attempt in the same way', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a', { backoff_base: 500, backoff_strategy: 'fixed' })]);
  await runJob(queue, 'a', 'w', 'failed');
  assert.deepEqual(await reasons(queue, 'a'), ['scheduled']);
});

test('a job whose workers are all busy waits for them', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['a', 'b', 'c', 'd'].map((id) => job(id)));
  await addWorker(queue, 'w', { concurrency: 2 });
  await claim(queue, 'a', 'w');
  assert.deepEqual(await reasons(queue, 'b'), ['next_poll'], 'it has room for another one');
  assert.deepEqual(await reasons(queue, 'd'), ['position'], 'and not for three');
  await claim(queue, 'b', 'w');
  const [only] = await waits(queue, 'd');
  assert.deepEqual([only?.reason, only?.message], ['workers_busy', 'the only worker is busy']);
  await addWorker(queue, 'x');
  await claim(queue, 'c', 'x');
  assert.equal((await waits(queue, 'd'))[0]?.message, 'all 2 workers are busy');
});

test('a reached limit is named before busy workers, as more of them would not help', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('max_concurrent_jobs', '1');
  await queue.enqueue([job('a'), job('b')]);
  await addWorker(queue, 'w');
  assert.deepEqual(await reasons(queue, 'a'), ['next_poll'], 'nothing runs yet');
  assert.deepEqual(await reasons(queue, 'b'), ['position'], 'only one may');
  await claim(queue, 'a', 'w');
  const [limit] = await waits(queue, 'b');
  assert.deepEqual(
    [limit?.reason, limit?.message],
    ['max_concurrent_jobs', 'max_concurrent_jobs reached (1 of 1 running)'],
  );
});

test('troubled workers are named if all of them are in trouble', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'w');
  await queue.store.renew('w', sign('the disk is full'));
  const [trouble] = await waits(queue, 'a');
  assert.deepEqual(
    [trouble?.reason, trouble?.message],
    ['workers_degraded', 'all workers are degraded: the disk is full'],
  );
  await addWorker(queue, 'healthy');
  assert.deepEqual(await reasons(queue, 'a'), ['next_poll']);
});

test('a running job waits for nothing unless its worker is lost', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('runs'), job('stuck', { queue: 'mail' })]);
  await addWorker(queue, 'w');
  await claim(queue, 'runs', 'w');
  await addDeadWorker(queue, 'dead');
  await claim(queue, 'stuck', 'dead');
  assert.deepEqual(await waits(queue, 'runs'), []);
  assert.deepEqual(await waits(queue, 'stuck'), [
    {
      reason: 'worker_lost',
      message: 'worker dead is lost',
      hint: 'another worker takes over the job within seconds',
    },
  ]);
});

test('a job whose only worker is lost waits for another to be started', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('stuck')]);
  await addDeadWorker(queue, 'dead');
  await claim(queue, 'stuck', 'dead');
  assert.equal((await waits(queue, 'stuck'))[0]?.hint, 'queuectl worker start');
});

test('a finished job waits for nothing', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('done'), job('dead', { max_retries: 0 }), job('gone')]);
  await runJob(queue, 'done', 'w', 'completed');
  await runJob(queue, 'dead', 'w', 'failed');
  await queue.cancel(['gone']);
  for (const id of ['done', 'dead', 'gone']) assert.deepEqual(await waits(queue, id), [], id);
});

test('a blocked job lists its dependencies with their states', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a', { name: 'build' }), job('g1', { group: 'g' }), job('g2', { group: 'g' })]);
  await queue.enqueue([job('other')]);
  await queue.enqueue([
    job('b', { after: ['a', 'group:g'], after_failure: 'g1' }),
    job('many', { after: ['a', 'g1', 'other'], after_any_end: ['b', 'group:g'], after_failure: 'g2' }),
  ]);
  await claim(queue, 'a', 'w');
  await runJob(queue, 'g2', 'w', 'completed');
  assert.deepEqual(await waits(queue, 'b'), [
    {
      reason: 'dependencies',
      message:
        'depends on job a completing (build, processing), group g completing (1 of 2 jobs left), job g1 failing (pending)',
      hint: 'queuectl why a',
    },
  ]);
  assert.match((await waits(queue, 'many'))[0]?.message ?? '', / and 1 more$/);
});

test('a held job names who held it, and no workers', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a', { max_retries: 0 })]);
  await queue.enqueue([job('b', { after: 'a', on_dependency_failure: 'hold' })]);
  await runJob(queue, 'a', 'w', 'failed');
  await queue.store.dependencies.advance(10);
  assert.deepEqual(await waits(queue, 'b'), [
    {
      reason: 'held',
      message: 'held: dependency failed: job a is dead',
      hint: 'queuectl release b',
    },
  ]);
});

test('a paused queue is named before all other reasons, also for a job that is not due', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a', { queue: 'mail' }), job('later', { queue: 'mail', delay_seconds: 500 })]);
  await queue.queues.pause('mail');
  const [paused] = await waits(queue, 'a');
  assert.deepEqual(
    [paused?.reason, paused?.message, paused?.hint],
    ['queue_paused', 'queue mail is paused', 'queuectl queue resume mail'],
  );
  assert.ok((paused?.since ?? 0) > 0);
  assert.deepEqual(await reasons(queue, 'later'), ['scheduled', 'queue_paused']);
  await queue.queues.resume('mail');
  await queue.queues.pause('*');
  assert.equal((await waits(queue, 'a'))[0]?.message, 'all queues are paused');
});

test('a queue at its limit or rate delays its jobs', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { concurrency: 10 });
  await queue.enqueue([job('a'), job('b'), job('m1', { queue: 'mail' }), job('m2', { queue: 'mail' })]);
  await queue.queues.limit('default', { concurrency: 1 });
  await queue.queues.limit('mail', { ratePerSecond: 0.01 });
  await claim(queue, 'a', 'w');
  await claim(queue, 'm1', 'w');
  assert.equal((await waits(queue, 'b'))[0]?.message, 'queue default runs at most 1 at once (1 running)');
  const [rate] = await waits(queue, 'm2');
  assert.deepEqual([rate?.reason, rate?.message], ['queue_rate', 'queue mail has reached its rate limit']);
  const leftMs = (rate?.until ?? 0) - queue.now();
  assert.ok(leftMs > 80_000 && leftMs <= 100_000, String(leftMs));
});

test('a key or a group at its limit names the jobs that hold its slots', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { concurrency: 10 });
  await queue.enqueue([
    job('a', { key: 'k' }),
    job('b', { key: 'k' }),
    job('g1', { group: 'g', group_concurrency: 2 }),
    ...['g2', 'g3'].map((id) => job(id, { group: 'g' })),
  ]);
  for (let i = 0; i < 4; i++) await turn(queue, 'w', { want: 10, slots: 10 });
  const [key] = await waits(queue, 'b');
  assert.deepEqual(
    [key?.reason, key?.message, key?.hint],
    ['key_slot', 'waiting for a free slot of key k, taken by a', 'queuectl show a'],
  );
  const [group] = await waits(queue, 'g3');
  assert.deepEqual(
    [group?.reason, group?.message],
    ['group_slot', 'waiting for a free slot of group g, 2 of 2 taken, longest by g1'],
  );
  assert.ok((group?.since ?? 0) > 0);
});

test('a job that is too heavy for every worker is reported as such', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a', { weight: 3 })]);
  await addWorker(queue, 'w', { concurrency: 2 });
  assert.deepEqual(await waits(queue, 'a'), [
    {
      reason: 'weight',
      message: 'needs 3 slots, but no worker of queue default has more than 2',
      hint: 'queuectl worker start --concurrency 3',
    },
  ]);
});

test('a job behind others shows its position, and the expected time if it can be estimated', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('running'), job('a'), job('b'), job('c')]);
  await claim(queue, 'running', 'w');
  assert.deepEqual(await reasons(queue, 'a'), ['workers_busy'], 'it is the next');
  assert.equal((await waits(queue, 'c'))[1]?.message, '3rd of 3 in line');
  await addWorker(queue, 'past');
  const done = Array.from({ length: 12 }, (_, i) => job(`done${i}`, { priority: 9 }));
  await queue.enqueue(done);
  for (const { id } of done) await runJob(queue, id, 'past', 'completed');
  await queue.store.condemn('past');
  assert.equal((await waits(queue, 'c'))[1]?.message, '3rd of 3 in line, about 10 s at the rate of the last minute');
  await queue.queues.pause('default');
  assert.deepEqual(
    (await waits(queue, 'c')).map(({ message }) => message),
    ['queue default is paused', '3rd of 3 in line'],
    'nobody knows how long a pause takes',
  );
});

test('a job behind one that waits for slots is in line, however many slots are free', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { concurrency: 4 });
  await queue.enqueue([job('running'), job('heavy', { weight: 4 }), job('light')]);
  await claim(queue, 'running', 'w');
  assert.deepEqual(await reasons(queue, 'heavy'), ['workers_busy']);
  assert.deepEqual(
    (await waits(queue, 'light')).map(({ message }) => message),
    ['2nd of 2 in line'],
  );
});

test('if there are more jobs than free slots, those that do not fit are in line', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w');
  await queue.enqueue([job('a'), job('b')]);
  assert.deepEqual(await reasons(queue, 'a'), ['next_poll']);
  assert.deepEqual(await reasons(queue, 'b'), ['position']);
});

test('a job waits for memory that running jobs leave no worker, also with several workers', async (t) => {
  const queue = await openQueue(t);
  await queue.setSetting('memory_budget', '4G');
  for (const id of ['v', 'w']) await addWorker(queue, id, { concurrency: 4 });
  const needing = (id: string) => job(id, { limits: { memory: '3G' } });
  await queue.enqueue([needing('a'), needing('b'), needing('c'), job('d')]);
  await claim(queue, 'a', 'v');
  assert.deepEqual(await reasons(queue, 'b'), ['next_poll']);
  await claim(queue, 'b', 'w');
  const [wait] = await waits(queue, 'c');
  assert.equal(wait?.message, 'needs 3 GiB of memory, but running jobs leave only 1 GiB on any worker');
  assert.deepEqual(await reasons(queue, 'd'), ['next_poll']);
});

test('a key at its limit is named before any turn has looked at the job', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { concurrency: 4 });
  await queue.enqueue([job('a', { key: 'k' })]);
  await claim(queue, 'a', 'w');
  await queue.enqueue([job('b', { key: 'k' })]);
  assert.deepEqual(await reasons(queue, 'b'), ['key_slot']);
});
