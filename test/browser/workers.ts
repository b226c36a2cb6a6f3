import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Queue } from '../../src/queue/queue.ts';
import { openStore } from '../../src/store/open.ts';
import { Bench } from '../contract/bench.ts';
import { until } from '../support/until.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage } from './support.ts';

/** Starts a worker and waits until it has claimed the jobs. */
async function workerOn(t: TestContext, queue: Queue): Promise<void> {
  const bench = new Bench({ open: () => openStore(queue.place, { environment: {} }), remove: () => {} });
  t.after(() => bench.close());
  await bench.begin();
  await bench.claim();
}

test('the empty list of workers shows how to start one', async (t) => {
  const { page } = await openPage(t, '/workers');
  await page.getByText('queuectl worker start --count 2').waitFor();
});

test('a worker shows its running jobs, and stops after them or immediately', async (t) => {
  const opened = await openPage(t);
  const { page, queue, go } = opened;
  await enqueueAll(queue, [{ id: 'long-one', command: 'true' }]);
  await workerOn(t, queue);
  await go('/workers');
  await page.getByRole('link', { name: 'long-one' }).waitFor();
  await page.getByRole('button', { name: 'stop w1' }).click();
  const form = page.getByRole('dialog', { name: 'Stop w1?' });
  await form.getByText('queuectl worker stop w1').waitFor();
  await form.getByLabel('Stop', { exact: true }).selectOption('force');
  await form.getByText('queuectl worker stop w1 --force').waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Stop the worker' }).click();
  await until('a stop is requested', async () => (await queue.workers())[0]?.stopRequested === 'force');
  await assertLooksGood(t, opened, '/workers', (page) => page.getByRole('link', { name: 'long-one' }).waitFor());
});

test('viewers are not offered to stop workers', async (t) => {
  const opened = await openPage(t);
  await workerOn(t, opened.queue);
  const page = await openAs(t, opened, 'enqueuer', '/workers?stop=w1');
  await page.getByText('w1', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: /stop w1/i }).count(), 0);
  assert.equal(await page.getByRole('dialog').count(), 0);
});
