// What a queue has done, in numbers, and the same numbers for Prometheus.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTCOMES, STATES } from '../../src/job/job.ts';
import type { NewJobInput, Queue } from '../../src/queue.ts';
import { metricsOf, metricsToJson } from '../../src/report/metrics.ts';
import { prometheusText } from '../../src/report/prometheus.ts';
import { addDeadWorker, addWorker, claim, openQueue, runJob } from '../support/library.ts';

const job = (id: string, more: object = {}): NewJobInput => ({ id, command: 'true', ...more });

/** Two jobs completed, one is dead, one was cancelled and one runs. */
async function livedIn(queue: Queue): Promise<void> {
  await addWorker(queue, 'w', { concurrency: 2 });
  await queue.enqueue([
    job('a'),
    job('b', { queue: 'mail' }),
    job('c', { max_retries: 0 }),
    job('d'),
    job('e'),
  ]);
  await runJob(queue, 'a', 'w', 'completed');
  await runJob(queue, 'b', 'w', 'completed');
  await runJob(queue, 'c', 'w', 'failed');
  await queue.cancel(['d']);
  await claim(queue, 'e', 'w');
}

test('of a queue without a history there is no success rate and no time', async (t) => {
  const queue = await openQueue(t);
  const { successRate, figures } = await metricsOf(queue);
  assert.deepEqual([successRate, figures.runMs, figures.waitMs], [null, null, null]);
});

test('the success rate is that of jobs that came to an end of their own', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  assert.equal((await metricsOf(queue)).successRate, 2 / 3, 'cancelled and running ones are left out');
});

test('attempts are measured and told by their outcome when they have ended', async (t) => {
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

test('Prometheus gets a sample for every state, outcome and kind of worker, also those at zero', async (t) => {
  const queue = await openQueue(t);
  await livedIn(queue);
  await addDeadWorker(queue, 'dead');
  const text = prometheusText(await metricsOf(queue));
  const has = (line: string): void => assert.ok(text.split('\n').includes(line), `${line}\n${text}`);
  for (const state of STATES) assert.match(text, new RegExp(`queuectl_jobs{queue="mail",state="${state}"} `));
  for (const outcome of OUTCOMES) assert.match(text, new RegExp(`queuectl_attempts{outcome="${outcome}"} `));
  has('queuectl_jobs{queue="mail",state="completed"} 1');
  has('queuectl_jobs{queue="mail",state="blocked"} 0');
  has('queuectl_workers{state="busy"} 1');
  has('queuectl_workers{state="idle"} 0');
  has('queuectl_workers{state="lost"} 1');
  has('queuectl_completed_within{window="hour"} 2');
});

test('Prometheus gets times in seconds, and a sum that fits the count', async (t) => {
  const metrics = await metricsOf(await openQueue(t));
  const runMs = { count: 3, min: 1000, avg: 3000, p50: 2000, p95: 5500, p99: 6000, max: 6000 };
  const text = prometheusText({ ...metrics, figures: { ...metrics.figures, runMs } });
  assert.match(text, /^queuectl_run_seconds\{quantile="0\.5"\} 2$/m);
  assert.match(text, /^queuectl_run_seconds\{quantile="0\.95"\} 5\.5$/m);
  assert.match(text, /^queuectl_run_seconds_sum 9$/m);
  assert.match(text, /^queuectl_run_seconds_count 3$/m);
});

test('without any attempt the quantiles are NaN and the sums are zero', async (t) => {
  const text = prometheusText(await metricsOf(await openQueue(t)));
  assert.match(text, /^queuectl_run_seconds\{quantile="0\.99"\} NaN$/m);
  assert.match(text, /^queuectl_run_seconds_sum 0$/m);
  assert.match(text, /^queuectl_wait_seconds_count 0$/m);
});

test('a name with quotes, backslashes and line ends is one label', async (t) => {
  const queue = await openQueue(t);
  await queue.enqueue([job('a')]);
  const metrics = await metricsOf(queue);
  const [counts] = metrics.queues;
  assert.ok(counts);
  const text = prometheusText({ ...metrics, queues: [{ ...counts, queue: 'a"b\\c\nd' }] });
  assert.match(text, /^queuectl_oldest_pending_seconds\{queue="a\\"b\\\\c\\nd"\} \d/m);
});
