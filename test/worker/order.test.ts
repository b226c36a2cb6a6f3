// The order of jobs, their workers, and their concurrency.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_POLL, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** Long enough for a busy machine; polling would take an hour. */
const SOON_MS = 20_000;

test('three workers run 200 jobs, each exactly once', async (t) => {
  const fleet = await newFleet(t);
  const ids = Array.from({ length: 200 }, (_, i) => `job-${i}`);
  await fleet.add(...ids.map((id) => ({ id, command: 'echo $QUEUECTL_JOB_ID $QUEUECTL_WORKER_ID >> ledger' })));
  const workers = await fleet.start('--count', '3', '--drain');
  const lines = await fleet.untilLines('ledger', 200, 30_000);
  await fleet.cli.expectNoProcesses();
  assert.equal(await fleet.count('completed'), 200);
  const entries = fleet.lines('ledger').map((line) => line.split(' '));
  assert.equal(lines.length, 200);
  assert.deepEqual(entries.map(([id]) => id).sort(), ids.sort());
  assert.deepEqual(new Set(entries.map(([, worker]) => worker)), new Set(workers.map(({ id }) => id)), 'all took part');
  const jobs = await fleet.queue.list({ sort: 'created', descending: false, limit: null });
  assert.ok(jobs.every(({ attempts, interruptions }) => attempts === 1 && interruptions === 0));
});

test('higher priorities run first', async (t) => {
  const fleet = await newFleet(t);
  const command = 'echo $QUEUECTL_JOB_ID >> order';
  await fleet.add(
    { id: 'low', command, priority: -5 },
    { id: 'usual', command },
    { id: 'high', command, priority: 10 },
    { id: 'higher', command, priority: 1_000_000 },
  );
  await fleet.cli.drain();
  assert.deepEqual(fleet.lines('order'), ['higher', 'high', 'usual', 'low']);
});

test('equal priorities run in the order of enqueueing', async (t) => {
  const fleet = await newFleet(t);
  const ids = Array.from({ length: 30 }, (_, i) => `job-${(i * 7) % 30}`);
  for (const id of ids) await fleet.add({ id, command: 'echo $QUEUECTL_JOB_ID >> order' });
  await fleet.cli.drain();
  assert.deepEqual(fleet.lines('order'), ids);
});

test('an idle worker claims a new job at once without polling', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.worker();
  for (const id of ['a', 'b', 'c']) {
    await fleet.cli.text('enqueue', '--id', id, 'true');
    const job = await fleet.untilState(id, 'completed');
    const waitedMs = Number(job.startedAt) - job.createdAt;
    assert.ok(waitedMs < SOON_MS, `it waited ${waitedMs} ms`);
  }
});

test('a scheduled job starts when it is due, not at the next poll', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.worker();
  await fleet.cli.text('enqueue', '--id', 'a', '--delay', '1.5', 'true');
  const { runAt } = await fleet.job('a');
  const { startedAt } = await fleet.untilState('a', 'completed');
  const lateMs = Number(startedAt) - Number(runAt);
  assert.ok(lateMs >= 0 && lateMs < SOON_MS, `${lateMs} ms after its time`);
});

test('a new worker starts existing scheduled jobs on time', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.add(
    { id: 'a', command: 'true', delay_seconds: 1 },
    { id: 'never', command: 'true', delay_seconds: 3600 },
  );
  await fleet.worker();
  const { startedAt, runAt } = await fleet.untilState('a', 'completed');
  const lateMs = Number(startedAt) - Number(runAt);
  assert.ok(lateMs >= 0 && lateMs < SOON_MS, `${lateMs} ms after its time`);
  assert.equal((await fleet.job('never')).state, 'pending');
});

test('a due job of high priority runs before jobs that waited longer', async (t) => {
  const fleet = await newFleet(t);
  const command = 'echo $QUEUECTL_JOB_ID >> order';
  await fleet.add({ id: 'a', command: `${command}; until [ -e end ]; do sleep 0.02; done` }, { id: 'b', command });
  await fleet.worker();
  await fleet.untilLines('order', 1);
  const [urgent] = await fleet.add({ id: 'urgent', command, priority: 5, delay_seconds: 0.2 });
  await until('it is due', () => Date.now() > Number(urgent?.runAt));
  await fleet.cli.sh('touch end');
  assert.deepEqual(await fleet.untilLines('order', 3), ['a', 'urgent', 'b']);
});

test('a worker serves only its own queues', async (t) => {
  const fleet = await newFleet(t);
  const ids = ['mail', 'images', 'default', 'other'];
  await fleet.add(...ids.map((queue) => ({ id: `in-${queue}`, command: 'true', queue })));
  await fleet.worker('--queue', 'mail', '--queue', 'images');
  await fleet.untilState('in-mail', 'completed');
  await fleet.untilState('in-images', 'completed');
  await fleet.add({ id: 'again', command: 'true', queue: 'mail' });
  await fleet.untilState('again', 'completed');
  assert.equal((await fleet.job('in-default')).state, 'pending');
  assert.equal((await fleet.job('in-other')).state, 'pending');
  await fleet.worker('--queue', 'other,default');
  await fleet.untilState('in-default', 'completed');
  await fleet.untilState('in-other', 'completed');
});

test('the highest priority runs first across queues', async (t) => {
  const fleet = await newFleet(t);
  const command = 'echo $QUEUECTL_JOB_ID >> order';
  await fleet.add(
    { id: 'a1', command, queue: 'a' },
    { id: 'b1', command, queue: 'b', priority: 2 },
    { id: 'a2', command, queue: 'a', priority: 3 },
    { id: 'b2', command, queue: 'b' },
  );
  await fleet.cli.drain();
  assert.deepEqual(fleet.lines('order'), ['a2', 'b1', 'a1', 'b2']);
});

/** Returns the maximum concurrency, from the + and - that each job writes at its start and end. */
function mostAtOnce(lines: readonly string[]): number {
  let running = 0;
  return Math.max(...lines.map((line) => (running += line === '+' ? 1 : -1)));
}

const STAMPED = 'echo + >> ledger; sleep 0.05; echo - >> ledger';

test('--concurrency M runs M jobs at once', async (t) => {
  const fleet = await newFleet(t);
  // Each waits for the other two, so all three must run at once.
  const meet = 'echo x >> here; until [ $(wc -l < here) -ge 3 ]; do sleep 0.01; done';
  await fleet.add(...[1, 2, 3].map((i) => ({ id: `meet-${i}`, command: meet, priority: 1, timeout_seconds: 8 })));
  await fleet.add(...Array.from({ length: 12 }, (_, i) => ({ id: `stamped-${i}`, command: STAMPED })));
  const { code } = await fleet.cli.run(['worker', 'run', '--drain', '--concurrency', '3']);
  assert.equal(code, 0);
  assert.equal(await fleet.count('completed'), 15);
  assert.equal(mostAtOnce(fleet.lines('ledger')), 3);
});

test('a worker without --concurrency runs one job at a time', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add(...[1, 2, 3, 4].map((i) => ({ id: `job-${i}`, command: STAMPED })));
  await fleet.cli.drain();
  assert.deepEqual(fleet.lines('ledger'), ['+', '-', '+', '-', '+', '-', '+', '-']);
});

test('max_concurrent_jobs applies across all workers', async (t) => {
  const fleet = await newFleet(t, { max_concurrent_jobs: 3 });
  await fleet.add(...Array.from({ length: 24 }, (_, i) => ({ id: `job-${i}`, command: STAMPED })));
  await fleet.start('--count', '2', '--concurrency', '4', '--drain');
  await fleet.cli.expectNoProcesses();
  assert.equal(await fleet.count('completed'), 24);
  assert.equal(mostAtOnce(fleet.lines('ledger')), 3);
});

test('a slot under max_concurrent_jobs is used at once', async (t) => {
  const fleet = await newFleet(t, { ...NO_POLL, max_concurrent_jobs: 1 });
  await fleet.worker('--queue', 'a');
  await fleet.worker('--queue', 'b');
  await fleet.add({ id: 'first', queue: 'a', command: 'sleep 0.3' });
  await fleet.untilState('first', 'processing');
  await fleet.add({ id: 'second', queue: 'b', command: 'true' });
  const second = await fleet.untilState('second', 'completed');
  const first = await fleet.job('first');
  const waitedMs = Number(second.startedAt) - Number(first.finishedAt);
  assert.ok(waitedMs >= 0 && waitedMs < SOON_MS, `it waited ${waitedMs} ms`);
});

test('raising a limit starts the next job at once', async (t) => {
  const fleet = await newFleet(t, { ...NO_POLL, max_concurrent_jobs: 1 });
  await fleet.worker('--concurrency', '2');
  await fleet.add({ id: 'a', command: 'until [ -e end ]; do sleep 0.02; done' }, { id: 'b', command: 'touch end' });
  await fleet.untilState('a', 'processing');
  assert.equal((await fleet.job('b')).state, 'pending');
  await fleet.cli.text('config', 'set', 'max_concurrent_jobs', '2');
  await fleet.untilState('a', 'completed');
});
