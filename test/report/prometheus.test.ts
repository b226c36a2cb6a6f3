// What Prometheus is told: read back by a strict reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTCOMES, STATES } from '../../src/job/job.ts';
import type { Queue } from '../../src/queue/queue.ts';
import { BUCKETS_SECONDS } from '../../src/report/metrics/exposition.ts';
import { prometheusText } from '../../src/report/metrics/prometheus.ts';
import { type Scrape, scrapeOf } from '../../src/report/metrics/scrape.ts';
import { OTHER_QUEUES, QUEUES_AT_MOST } from '../../src/series/fold.ts';
import { BOUNDS_MS } from '../../src/series/histogram.ts';
import { openQueue } from '../support/library.ts';
import { liveIn } from '../support/lived-in.ts';
import { Exposition, expectPromtoolContent } from '../support/prometheus.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

const told = async (queue: Queue, more: Partial<Scrape> = {}): Promise<Exposition> =>
  new Exposition(prometheusText({ ...(await scrapeOf(queue, '1.2.3')), ...more }));

test('an empty queue has valid metrics', async (t) => {
  const exposition = await told(await openQueue(t));
  assert.equal(exposition.value('queuectl_workers', { state: 'lost' }), 0);
  assert.equal(exposition.value('queuectl_build_info', { version: '1.2.3', engine: 'sqlite' }), 1);
  assert.ok((exposition.value('queuectl_database_bytes') ?? 0) > 4096);
  assert.ok((exposition.value('queuectl_disk_free_bytes') ?? 0) > 0);
  assert.ok((exposition.value('queuectl_store_read_seconds') ?? 0) > 0);
});

test('there is a sample for every state, outcome and kind of worker, including zeros', async (t) => {
  const queue = await openQueue(t);
  await liveIn(queue);
  const exposition = await told(queue);
  const has = (name: string, labels: Record<string, string>, value: number): void =>
    assert.equal(exposition.value(`queuectl_${name}`, labels), value, `${name} ${JSON.stringify(labels)}`);
  for (const state of STATES) has('jobs', { queue: 'mail', state }, state === 'completed' ? 1 : 0);
  for (const outcome of OUTCOMES)
    has('attempts_ended_total', { queue: 'mail', outcome }, outcome === 'completed' ? 1 : 0);
  has('attempts_started_total', { queue: 'default' }, 3);
  has('jobs_enqueued_total', { queue: 'default' }, 5);
  has('jobs_completed_total', { queue: 'default' }, 1);
  has('jobs_dead_total', { queue: 'default' }, 1);
  has('jobs_cancelled_total', { queue: 'default' }, 1);
  has('jobs_cancelled_total', { queue: 'mail' }, 0);
  has('attempt_run_seconds_count', { queue: 'default' }, 2);
  has('attempt_wait_seconds_count', { queue: 'default' }, 3);
  has('attempt_wait_seconds_bucket', { queue: 'mail', le: '+Inf' }, 1);
  has('workers', { state: 'busy' }, 1);
  has('workers', { state: 'idle' }, 0);
  has('workers', { state: 'lost' }, 1);
  has('worker_slots', {}, 2);
  has('worker_running_jobs', {}, 1);
  has('queue_workers', { queue: 'mail' }, 1);
  assert.ok((exposition.value('queuectl_store_turn_seconds_count') ?? 0) > 0);
});

test("Prometheus' own tool reports nothing where installed", async (t) => {
  const queue = await openQueue(t);
  expectPromtoolContent(prometheusText(await scrapeOf(queue, '1.2.3')));
  await liveIn(queue);
  expectPromtoolContent(prometheusText(await scrapeOf(queue, '1.2.3')));
});

test('totals stay when jobs are deleted, and never decrease', async (t) => {
  const queue = await openQueue(t);
  await liveIn(queue);
  const before = await told(queue);
  await queue.prune({ states: ['completed', 'dead', 'cancelled'], keep: 0 });
  const after = await told(queue);
  assert.equal(after.value('queuectl_jobs', { queue: 'default', state: 'completed' }), 0);
  const totals = before.samples().filter(({ name }) => /_(total|count|bucket|sum)$/.test(name));
  assert.ok(totals.length > 50);
  for (const { name, labels, value } of totals)
    assert.ok((after.value(name, labels) ?? -1) >= value, `${name} ${JSON.stringify(labels)}`);
});

test('times are in seconds', async (t) => {
  const run = { sum: 9000, in: { 1000: 1, 5000: 1, 7000: 1 } };
  const exposition = await told(await openQueue(t), { totals: new Map([['q', { run }]]) });
  const bucket = (le: string) => exposition.value('queuectl_attempt_run_seconds_bucket', { queue: 'q', le });
  assert.deepEqual([bucket('0.5'), bucket('1'), bucket('5'), bucket('10')], [0, 1, 2, 3]);
  assert.equal(exposition.value('queuectl_attempt_run_seconds_sum', { queue: 'q' }), 9);
});

test('each printed bucket is a stored one', () => {
  for (const bound of [...BUCKETS_SECONDS, 0.001, 0.005]) assert.ok(BOUNDS_MS.includes(bound * 1000), String(bound));
});

test('a name with quotes, backslashes, line ends, commas, braces or an emoji is one label', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  const { queues, totals } = await scrapeOf(queue, '');
  const [counts] = queues;
  assert.ok(counts);
  for (const name of ['a"b\\c\nd', '\\n', '🎉 "x",y="z"} 7', '\\', '#', 'q\ud800']) {
    const tally = totals.get('default') ?? {};
    const exposition = await told(queue, {
      queues: [{ ...counts, queue: name }],
      totals: new Map([[name, tally]]),
    });
    const label = { queue: name.toWellFormed() };
    assert.equal(exposition.value('queuectl_jobs_enqueued_total', label), 1, name);
    assert.ok((exposition.value('queuectl_oldest_pending_seconds', label) ?? -1) >= 0, name);
  }
});

test('thousands of queues do not create thousands of labels, and their jobs still add up', async (t) => {
  const queue = await openQueue(t);
  const jobs = Array.from({ length: QUEUES_AT_MOST + 50 }, (_, i) => job(`j${i}`, { queue: `q${i}` }));
  await queue.enqueue(jobs);
  const exposition = await told(queue);
  const pending = exposition
    .samples()
    .filter(({ name, labels }) => name === 'queuectl_jobs' && labels.state === 'pending');
  assert.equal(pending.length, QUEUES_AT_MOST + 1);
  assert.equal(
    pending.reduce((sum, { value }) => sum + value, 0),
    jobs.length,
  );
  const label = { queue: OTHER_QUEUES };
  assert.equal(exposition.value('queuectl_jobs', { ...label, state: 'pending' }), 50);
  assert.equal(exposition.value('queuectl_jobs_enqueued_total', label), 50);
});

test('reasons for waiting are counted: holds, keys and groups, limits of queues', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['k1', 'k2'].map((id) => job(id, { key: 'k', group: 'g' })));
  await queue.queues.limit('mail', { concurrency: 4, ratePerSecond: 0.5, pausedAt: 1 });
  const { value } = await told(queue).then((one) => ({ value: one.value.bind(one) }));
  assert.deepEqual(
    ['held_jobs', 'limited_jobs', 'groups', 'schedules'].map((name) => value(`queuectl_${name}`)),
    [0, 2, 1, 0],
  );
  assert.deepEqual(
    ['paused', 'concurrency_limit', 'rate_limit'].map((name) => value(`queuectl_queue_${name}`, { queue: 'mail' })),
    [1, 4, 0.5],
  );
});

test('an overdue run is late, and a skipped run is counted', async (t) => {
  const queue = await openQueue(t);
  const { waits, now, total } = await scrapeOf(queue, '');
  const exposition = await told(queue, {
    waits: { ...waits, nextTickAt: now - 90_000 },
    total: { ...total, skippedTicks: 3 },
    now,
  });
  assert.equal(exposition.value('queuectl_schedule_lateness_seconds'), 90);
  assert.equal(exposition.value('queuectl_next_schedule_timestamp_seconds'), (now - 90_000) / 1000);
  assert.equal(exposition.value('queuectl_schedule_skipped_ticks_total'), 3);
});
