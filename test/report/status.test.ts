// How a queue is doing, as data: what is counted, what is left out, and what is said to be wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../src/job/job.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { statusOf, statusToJson } from '../../src/report/status.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob, turn } from '../support/library.ts';
import { sign } from '../support/workers.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

/** Jobs of two queues: three wait, one of them for its time; one failed, one completed, one is dead. */
async function livedIn(queue: Queue): Promise<void> {
  await addWorker(queue, 'past');
  await queue.enqueue([
    job('done'),
    job('failed', { backoff_base: 1000, backoff_strategy: 'fixed' }),
    job('dead', { queue: 'mail', max_retries: 0 }),
  ]);
  await runJob(queue, 'done', 'past', 'completed');
  for (const id of ['failed', 'dead']) await runJob(queue, id, 'past', 'failed');
  await queue.store.condemn('past');
  await queue.store.rescue('past', (await queue.settings()).backoff);
  await queue.enqueue([job('a'), job('b', { queue: 'mail' }), job('later', { delay_seconds: 500 })]);
}

test('every state is counted, in total and for each queue', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  const { totals, queues } = await statusOf(queue);
  assert.deepEqual(Object.keys(totals).sort(), [...STATES].sort());
  assert.deepEqual([totals.pending, totals.failed, totals.completed, totals.dead], [3, 1, 1, 1]);
  assert.deepEqual(
    queues.map(({ queue: name, counts }) => [name, counts.pending, counts.dead]),
    [
      ['default', 2, 0],
      ['mail', 1, 1],
    ],
  );
});

test('one queue counts only its own jobs and the workers that serve it', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  await addWorker(queue, 'for all');
  await addWorker(queue, 'for mail', { queues: ['mail'] });
  await addWorker(queue, 'for print', { queues: ['print'] });
  await addWorker(queue, 'for one job', { onlyJob: 'a' });
  const mail = await statusOf(queue, 'mail');
  assert.deepEqual([mail.totals.pending, mail.totals.dead, mail.totals.completed], [1, 1, 0]);
  assert.equal(mail.workers.active, 2);
});

test('an unknown queue is empty', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  const { queues, totals, oldestPendingAt } = await statusOf(queue, 'nowhere');
  assert.deepEqual(
    queues.map(({ queue: name }) => name),
    ['nowhere'],
  );
  assert.ok(Object.values(totals).every((count) => count === 0));
  assert.equal(oldestPendingAt, null);
});

test('the oldest runnable job is distinguished from jobs that are not due', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('later', { delay_seconds: 500 })]);
  assert.equal((await statusOf(queue)).oldestPendingAt, null);
  const [first] = await queue.enqueue([job('a')]);
  await queue.enqueue([job('b', { queue: 'mail' })]);
  assert.equal((await statusOf(queue)).oldestPendingAt, first?.createdAt);
});

test('the next retry and the next start are shown, also for one queue', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  await queue.enqueue([job('mail-later', { queue: 'mail', delay_seconds: 9 })]);
  const [failed, later, mail] = [await queue.find('failed'), await queue.find('later'), await queue.find('mail-later')];
  const all = await statusOf(queue);
  assert.deepEqual([all.nextRetryAt, all.nextRunAt], [failed.nextRunAt, mail.nextRunAt]);
  const own = await statusOf(queue, 'default');
  assert.deepEqual([own.nextRetryAt, own.nextRunAt], [failed.nextRunAt, later.nextRunAt]);
  const other = await statusOf(queue, 'mail');
  assert.deepEqual([other.nextRetryAt, other.nextRunAt], [null, mail.nextRunAt]);
});

test('workers are counted as active, busy and lost, by host', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await addWorker(queue, 'busy', { host: 'one' });
  await claim(queue, 'a', 'busy');
  await addWorker(queue, 'idle', { host: 'one' });
  await addDeadWorker(queue, 'dead', { host: 'two' });
  const { workers, hosts } = await statusOf(queue);
  assert.deepEqual(workers, { active: 2, busy: 1, lost: 1 });
  assert.deepEqual(hosts, [
    { host: 'one', active: 2, busy: 1, lost: 0 },
    { host: 'two', active: 0, busy: 0, lost: 1 },
  ]);
});

test('a queue with waiting jobs is served only by workers that would claim them', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a'), job('b', { queue: 'mail' })]);
  const unserved = async () => (await statusOf(queue)).unserved;
  assert.deepEqual(await unserved(), ['default', 'mail']);
  await addDeadWorker(queue, 'dead');
  await addWorker(queue, 'leaving');
  await queue.store.requestStop(['leaving'], 'graceful');
  await addWorker(queue, 'for one job', { onlyJob: 'other' });
  assert.deepEqual(await unserved(), ['default', 'mail'], 'these take nothing of it');
  await addWorker(queue, 'for mail', { queues: ['mail'] });
  assert.deepEqual(await unserved(), ['default']);
  await addWorker(queue, 'for all');
  assert.deepEqual(await unserved(), []);
});

test('a queue without waiting jobs needs no worker', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  await queue.cancel(['a']);
  assert.deepEqual((await statusOf(queue)).unserved, []);
});

test('a problem of several workers is shown once, and problems of lost workers are not', async (t) => {
  const queue = await openQueue(t);
  for (const id of ['one', 'two']) {
    await addWorker(queue, id);
    await queue.store.renew(id, sign('the disk is full'));
  }
  await addDeadWorker(queue, 'dead');
  await queue.store.renew('dead', sign('out of memory'));
  await addWorker(queue, 'three');
  await queue.store.renew('three', sign('not starting jobs: outside its hours, 1-2'));
  const { degraded, admission } = await statusOf(queue);
  assert.deepEqual(admission, ['not starting jobs: outside its hours, 1-2'], 'that is no trouble');
  assert.deepEqual(
    degraded.filter((sentence) => !sentence.includes('left on the disk')),
    ['the disk is full'],
  );
});

test('as JSON the counts are numbers at the top level, times are ISO 8601, and waiting is in seconds', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  const status = await statusOf(queue);
  const json = statusToJson({ ...status, now: (status.oldestPendingAt ?? 0) + 1500 });
  assert.deepEqual([json.pending, json.dead, json.blocked, json.active_workers], [3, 1, 0, 0]);
  assert.equal(json.oldest_pending_seconds, 1.5);
  assert.equal(json.next_retry_at, new Date(status.nextRetryAt ?? 0).toISOString());
  assert.deepEqual(json.unserved_queues, ['default', 'mail']);
  assert.equal(json.db, queue.place.file);
});

test('a clock that was set back causes no negative waiting times', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  const status = await statusOf(queue);
  assert.equal(statusToJson({ ...status, now: 0 }).oldest_pending_seconds, 0);
});

test('held jobs, jobs waiting for a slot and paused queues are shown, also for one queue', async (t) => {
  const queue = await openQueue(t);
  await addWorker(queue, 'w', { concurrency: 10 });
  await queue.enqueue([
    job('a', { max_retries: 0 }),
    ...['k1', 'k2', 'k3'].map((id) => job(id, { key: 'k', queue: 'mail', group: 'g' })),
  ]);
  await queue.enqueue([job('held', { after: 'a', on_dependency_failure: 'hold' })]);
  await runJob(queue, 'a', 'w', 'failed');
  await queue.store.dependencies.advance(10);
  for (let i = 0; i < 3; i++) await turn(queue, 'w', { want: 5, slots: 10, queues: ['mail'] });
  await queue.queues.pause('mail');
  const all = statusToJson(await statusOf(queue));
  assert.deepEqual([all.held, all.limited, all.groups, all.schedules, all.next_schedule_at], [1, 2, 1, 0, null]);
  assert.deepEqual([all.paused_queues, all.all_paused], [['mail'], false]);
  const own = statusToJson(await statusOf(queue, 'default'));
  assert.deepEqual([own.held, own.limited, own.paused_queues], [1, 0, []]);
  await queue.queues.pause('*');
  assert.equal((await statusOf(queue, 'default')).isAllPaused, true);
});
