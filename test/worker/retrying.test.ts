// Failures, backoff, the dead letter queue, and retries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fleet, NO_POLL, newFleet } from '../support/fleet.ts';
import { until } from '../support/until.ts';

/** Time between the end of each attempt and the next start. */
async function waits(fleet: Fleet, id: string): Promise<number[]> {
  const history = await fleet.history(id);
  return history.slice(1).map((attempt, i) => attempt.startedAt - Number(history[i]?.endedAt));
}

async function expectWaits(fleet: Fleet, id: string, delaysMs: number[]): Promise<void> {
  const waited = await waits(fleet, id);
  assert.equal(waited.length, delaysMs.length);
  for (const [i, delay] of delaysMs.entries()) {
    assert.ok(waited[i] !== undefined && waited[i] >= delay, `wait ${i + 1}: ${waited[i]} ms, not ${delay}`);
    assert.ok(waited[i] <= delay + 900, `wait ${i + 1}: ${waited[i]} ms, much more than ${delay}`);
  }
}

test('a failing job is retried after base, base², base³ seconds and then becomes dead', async (t) => {
  const fleet = await newFleet(t, { ...NO_POLL, backoff_base: 0.6 });
  await fleet.add({ id: 'a', command: 'exit 3', max_retries: 3 });
  await fleet.worker();
  const job = await fleet.untilState('a', 'dead');
  assert.deepEqual([job.attempts, job.exitCode, job.nextRunAt], [4, 3, null]);
  assert.deepEqual(await fleet.outcomes('a'), ['failed', 'failed', 'failed', 'failed']);
  await expectWaits(fleet, 'a', [600, 360, 216]);
});

test('a job may have its own backoff: linear or fixed', async (t) => {
  const fleet = await newFleet(t, NO_POLL);
  await fleet.add(
    { id: 'linear', command: 'exit 1', max_retries: 3, backoff_base: 0.2, backoff_strategy: 'linear' },
    { id: 'fixed', command: 'exit 1', max_retries: 3, backoff_base: 0.2, backoff_strategy: 'fixed' },
  );
  await fleet.worker();
  await fleet.untilState('linear', 'dead');
  await fleet.untilState('fixed', 'dead');
  await expectWaits(fleet, 'linear', [200, 400, 600]);
  await expectWaits(fleet, 'fixed', [200, 200, 200]);
});

test('a worker runs other jobs while a job waits for its retry', async (t) => {
  const fleet = await newFleet(t);
  await fleet.add({ id: 'a', command: 'exit 1', backoff_base: 600 }, { id: 'b', command: 'true' });
  await fleet.worker();
  await fleet.untilState('b', 'completed');
  const job = await fleet.job('a');
  assert.equal(job.state, 'failed');
  assert.equal(job.nextRunAt, Number((await fleet.history('a'))[0]?.endedAt) + 600_000);
});

test('an attempt that succeeds ends the retries', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  await fleet.add({ id: 'a', command: 'echo x >> tries; [ $(wc -l < tries) -eq 3 ]', max_retries: 5 });
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.lastError], [3, null]);
  assert.deepEqual(await fleet.outcomes('a'), ['failed', 'failed', 'completed']);
});

test('a retry from the dead letter queue runs at once, with attempts from 0 and its history', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  await fleet.add({ id: 'a', command: '[ -e repaired ]', max_retries: 1 });
  await fleet.worker();
  assert.equal((await fleet.untilState('a', 'dead')).attempts, 2);
  await fleet.cli.sh('touch repaired');
  await fleet.cli.text('dlq', 'retry', 'a');
  const job = await fleet.untilState('a', 'completed');
  assert.equal(job.attempts, 1);
  assert.deepEqual(await fleet.outcomes('a'), ['failed', 'failed', 'completed']);
  assert.deepEqual(await fleet.cli.json('dlq', 'list'), []);
});

test('a retried job has all its retries again', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  await fleet.add({ id: 'a', command: 'exit 1', max_retries: 1 });
  await fleet.worker();
  await fleet.untilState('a', 'dead');
  await fleet.cli.text('dlq', 'retry', '--all');
  await until('four attempts', async () => (await fleet.history('a')).length === 4);
  assert.equal((await fleet.untilState('a', 'dead')).attempts, 2);
});

test('a command killed by a signal is a failed attempt like any other', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 0.05 });
  await fleet.add({ id: 'a', command: 'echo x >> tries; [ $(wc -l < tries) -eq 2 ] || kill -9 $$' });
  await fleet.worker();
  const job = await fleet.untilState('a', 'completed');
  assert.deepEqual([job.attempts, job.interruptions], [2, 0]);
  const [first] = await fleet.history('a');
  assert.deepEqual([first?.outcome, first?.signal, first?.error], ['signalled', 'SIGKILL', 'killed by SIGKILL']);
});

test('a running worker uses the current backoff settings', async (t) => {
  const fleet = await newFleet(t, { backoff_base: 3600, backoff_strategy: 'fixed' });
  await fleet.add({ id: 'a', command: 'exit 1', max_retries: 9 });
  await fleet.worker();
  await fleet.untilState('a', 'failed');
  await fleet.cli.text('config', 'set', 'backoff_base', '0.1');
  await fleet.queue.retry(['a']);
  await until('it is tried enqueue jobs at set times', async () => (await fleet.history('a')).length >= 5);
});

test('a retry starts on time even if the worker of the failed attempt is busy', async (t) => {
  const fleet = await newFleet(t, { ...NO_POLL, backoff_base: 0.3 });
  const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;
  await fleet.add(
    { id: 'a', queue: 'shared', command: `[ $QUEUECTL_ATTEMPT -gt 1 ] || { ${waitFor('go')}; exit 1; }` },
    { id: 'long', queue: 'own', command: waitFor('end') },
  );
  await fleet.worker();
  await fleet.untilState('a', 'processing');
  await fleet.worker('--queue', 'shared'); // idle, without a known next time
  await fleet.cli.sh('touch go');
  await fleet.untilState('long', 'processing');
  await fleet.untilState('a', 'completed', 3000).finally(() => fleet.cli.sh('touch end'));
  await fleet.untilState('long', 'completed');
});
