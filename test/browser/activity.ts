import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLooksGood, openPage } from './support.ts';

test('where nothing was done the activity says what it would hold', async (t) => {
  const { page } = await openPage(t, '/activity');
  await page.getByText('Nothing has been done yet').waitFor();
});

test('who did what is shown with a way to what it was done to, by page, and is good to look at', async (t) => {
  const opened = await openPage(t);
  const { page, queue, ask, go } = opened;
  const at = queue.now();
  for (let i = 0; i < 55; i++) {
    await queue.activity.record({
      at,
      actor: 'ann',
      via: 'cli',
      action: 'retry',
      target: `job-${i}`,
      detail: null,
    });
  }
  await ask('PATCH', '/queues/mail', { concurrency: 2 });
  await go('/activity');
  const newest = page.getByRole('row').filter({ hasText: 'limit queue' });
  await newest.getByText('concurrency 2').waitFor();
  assert.equal(await newest.getByRole('link', { name: 'mail' }).getAttribute('href'), '/queues/mail');
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByRole('link', { name: 'job-0', exact: true }).waitFor();
  assert.equal(await page.getByText('limit queue').count(), 0);
  await page.goBack();
  await newest.waitFor();
  await assertLooksGood(t, opened, '/activity', (page) => page.getByText('limit queue').waitFor());
});
