// What a queue has done, in numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { metricsOf, metricsToJson } from '../../src/report/metrics/metrics.ts';
import { addWorker, claim, openQueue, runJob } from '../support/library.ts';

const job = (id: string, more: object = {}) => ({ id, command: 'true', ...more });

/** Two jobs completed, one is dead, one was cancelled and one runs. */
async function livedIn(queue: Queue): Promise<void> {
  await addWorker(queue, 'w', { concurrency: 2 });
  await queue.enqueue([job('a'), job('b', { queue: 'mail' }), job('c', { max_retries: 0 }), job('d'), job('e')]);
  await runJob(queue, 'a', 'w', 'completed');
  await runJob(queue, 'b', 'w', 'completed');
  await runJob(queue, 'c', 'w', 'failed');
  await queue.cancel(['d']);
  await claim(queue, 'e', 'w');
}

test('a queue without history has no success rate and no times', async (t) => {
  const queue = await openQueue(t);
  const { successRate, figures } = await metricsOf(queue);
  assert.deepEqual([successRate, figures.runMs, figures.waitMs], [null, null, null]);
});

test('the success rate covers jobs that finished by themselves', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  assert.equal((await metricsOf(queue)).successRate, 2 / 3, 'cancelled and running ones are left out');
});

test('finished attempts are measured and counted by outcome', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  const { runMs, outcomes } = (await metricsOf(queue)).figures;
  assert.equal(runMs?.count, 3);
  assert.deepEqual(outcomes, { completed: 2, failed: 1 });
});

test('as JSON all jobs add up, whatever their state', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  const json = metricsToJson(await metricsOf(queue));
  assert.equal(json.total_jobs, 5);
  assert.deepEqual(json.completed_within, { minute: 2, hour: 2, day: 2 });
  assert.equal(json.throughput_per_minute, 2 / 60);
  assert.deepEqual(json.workers, { active: 1, busy: 1, lost: 0 });
  assert.deepEqual(
    (json.queues as { queue: string; completed: number }[]).map((row) => [row.queue, row.completed]),
    [
      ['default', 1],
      ['mail', 1],
    ],
  );
});

test('reasons for waiting are counted: holds, keys and groups, limits of queues', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue(['k1', 'k2'].map((id) => job(id, { key: 'k', group: 'g' })));
  await queue.queues.limit('mail', { concurrency: 4, ratePerSecond: 0.5 });
  await queue.queues.pause('mail');
  const metrics = await metricsOf(queue);
  const json = metricsToJson(metrics);
  assert.deepEqual([json.held, json.limited, json.groups, json.schedules], [0, 2, 1, 0]);
  const [limit] = json.queue_limits as Record<string, unknown>[];
  assert.deepEqual([limit?.queue, limit?.concurrency, limit?.rate_per_second], ['mail', 4, 0.5]);
});

test('deleted jobs still count in the success rate and the throughput', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  await queue.remove(['a', 'b']);
  const metrics = await metricsOf(queue);
  assert.equal(metrics.successRate, 2 / 3);
  assert.deepEqual(metrics.completedWithin, { minute: 2, hour: 2, day: 2 });
  assert.equal(metricsToJson(metrics).throughput_per_minute, 2 / 60);
});
