import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { openAs } from './as-role.ts';
import { assertAccessible, assertLooksGood, enqueueAll, openPage } from './support.ts';

test('the empty list of queues shows how to create one', async (t) => {
  const { page } = await openPage(t, '/queues');
  await page.getByText("queuectl enqueue --queue mail './send.sh'").waitFor();
});

test('one queue and all queues are paused and resumed from the list', async (t) => {
  const { page, queue, go } = await openPage(t);
  await enqueueAll(queue, [{ command: 'true', queue: 'mail' }]);
  const isPaused = async (name: string): Promise<boolean> =>
    (await queue.queues.limits()).some((limit) => limit.queue === name && limit.pausedAt !== null);
  await go('/queues');
  await page.getByRole('button', { name: 'pause mail' }).click();
  await page.getByText('paused', { exact: true }).waitFor();
  assert.ok(await isPaused('mail'));
  await page.getByRole('button', { name: 'resume mail' }).click();
  await page.getByRole('button', { name: 'pause mail' }).waitFor();
  assert.equal(await isPaused('mail'), false);
  await page.getByRole('button', { name: 'Pause all queues' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause all queues' }).click();
  await page.getByText('All queues are paused. Running jobs continue').waitFor();
  assert.ok(await isPaused('*'));
  await page.getByRole('button', { name: 'Resume all queues' }).click();
  await until('all queues are resumed', async () => !(await isPaused('*')));
});

test('the limit form shows errors at their field and the equivalent command', async (t) => {
  const { page, queue, go } = await openPage(t);
  await enqueueAll(queue, [{ command: 'true', queue: 'mail' }]);
  await go('/queues');
  await page.getByRole('link', { name: 'mail' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/queues/mail');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Limits of mail' });
  await form.getByLabel(/^Concurrency/).fill('-3');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Must be at least 1, not -3.', { exact: true }).waitFor();
  assert.equal(await form.getByLabel(/^Concurrency/).getAttribute('aria-invalid'), 'true');
  await form.getByLabel(/^Concurrency/).fill('2');
  await form.getByLabel(/^Starts/).fill('often');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText("invalid rate 'often'", { exact: false }).waitFor();
  await form.getByLabel(/^Starts/).fill('100/m');
  await form.getByText('queuectl queue set mail --concurrency 2 --rate 100/m').waitFor();
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('0 of 2').waitFor();
  const [limit] = await queue.queues.limits();
  assert.deepEqual([limit?.concurrency, limit?.ratePerSecond], [2, 100 / 60]);
});

test('a queue is drained only after confirmation', async (t) => {
  const { page, queue, go } = await openPage(t);
  await enqueueAll(queue, [{ command: 'true', queue: 'mail' }]);
  await go('/queues/mail');
  await page.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('button', { name: 'Drain the queue' }).click();
  await page.getByText('draining', { exact: true }).waitFor();
  await assert.rejects(enqueueAll(queue, [{ command: 'true', queue: 'mail' }]), { code: 'queue_draining' });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('accepted').waitFor();
  await enqueueAll(queue, [{ command: 'true', queue: 'mail' }]);
});

test('a queue shows its waiting jobs, and why the oldest is waiting', async (t) => {
  const opened = await openPage(t);
  await enqueueAll(opened.queue, [
    { id: 'first', command: 'true', queue: 'mail' },
    { id: 'second', command: 'true', queue: 'mail' },
  ]);
  await opened.queue.queues.limit('mail', { concurrency: 1 });
  await opened.queue.queues.pause('mail');
  await assertLooksGood(t, opened, '/queues/mail', async (page) => {
    await page.getByText('Why first, the oldest job, is waiting').waitFor();
    await page.getByText('Queue mail is paused', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'second', exact: true }).waitFor();
  });
});

test('viewers are offered no queue changes, and the list looks good', async (t) => {
  const opened = await openPage(t);
  await enqueueAll(opened.queue, [
    { command: 'true', queue: 'mail' },
    { command: 'true', queue: 'a-queue-with-a-very-long-name-to-see-where-it-wraps' },
  ]);
  await opened.queue.queues.limit('mail', { concurrency: 3, ratePerSecond: 10, burst: 20 });
  const page = await openAs(t, opened, 'viewer', '/queues');
  await page.getByText('3 at once · 10/s, burst 20').waitFor();
  assert.equal(await page.getByRole('button', { name: /pause (mail|all queues)/i }).count(), 0);
  await assertLooksGood(t, opened, '/queues', (page) => page.getByText('3 at once', { exact: false }).waitFor());
});

test('the URL of an unknown queue reports that it is unknown, and offers only limits and isolation', async (t) => {
  const { page, queue, go } = await openPage(t);
  await queue.queues.pause('*');
  await go('/queues/zzz');
  await page.getByRole('heading', { name: 'Queue zzz not found' }).waitFor();
  const offered = page.getByRole('main').getByRole('button');
  assert.deepEqual((await offered.allTextContents()).filter(Boolean), ['Limits', 'Isolation']);
  assert.equal(await page.getByRole('region', { name: 'jobs by state' }).count(), 0);
  await enqueueAll(queue, [{ command: 'true', queue: 'zzz' }]);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
});
